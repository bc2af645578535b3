import type { Pet, PetFilter } from '../../../client/src/index.ts';
import { UsageError } from '../../../server/src/config/usage-error.ts';
import { clientOf } from '../connection.ts';
import { showListing } from '../listing.ts';
import { countFrom, int64From } from '../numbers.ts';
import { type Column, endsWithReader, show } from '../output.ts';
import type { Call } from '../place.ts';

const MOST_STOCK = 1_000_000_000;

const columns: readonly Column<Pet>[] = [
  ['ID', ({ id }) => id],
  ['NAME', ({ name }) => name],
  ['CATEGORY', ({ category }) => category],
  ['STOCK', ({ stock }) => stock],
  ['STATUS', ({ status }) => status],
];

export const listPets = endsWithReader(async (call) => {
  const { category, status } = call.values;
  const client = clientOf(call);
  const filter = { category: category?.toString(), status: status as PetFilter['status'] };
  await showListing('pets', call, columns, (limit) => client.pets.list({ ...filter, limit }));
});

export async function createPet(call: Call): Promise<void> {
  const { name, category, stock } = call.values;
  if (name === undefined || category === undefined)
    throw new UsageError('pets create needs --name TEXT and --category TEXT');
  const units = stock === undefined ? {} : { stock: countFrom('--stock', stock, 0, MOST_STOCK) };
  const pet = { name: String(name), category: String(category), ...units };
  await show(await clientOf(call).pets.create(pet), columns, call);
}

export async function setStock(call: Call): Promise<void> {
  const [id = '', stock = ''] = call.args;
  const petId = int64From('the pet id', id);
  const patch = { stock: countFrom('the stock', stock, 0, MOST_STOCK) };
  await show(await clientOf(call).pets.change(petId, patch), columns, call);
}

export async function getPet(call: Call): Promise<void> {
  await show(await clientOf(call).pets.get(int64From('the pet id', call.args[0])), columns, call);
}

/** Changes what flags name, and nothing else. */
export async function setPet(call: Call): Promise<void> {
  const { name, category, stock } = call.values;
  const petId = int64From('the pet id', call.args[0]);
  const patch = {
    ...(name !== undefined && { name: String(name) }),
    ...(category !== undefined && { category: String(category) }),
    ...(stock !== undefined && { stock: countFrom('--stock', stock, 0, MOST_STOCK) }),
  };
  if (Object.keys(patch).length === 0)
    throw new UsageError('pets set needs --name TEXT, --category TEXT or --stock N');
  await show(await clientOf(call).pets.change(petId, patch), columns, call);
}
