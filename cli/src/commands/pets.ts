import type { Pet, PetFilter } from '../../../client/src/index.ts';
import { inputLimits } from '../../../console/src/api/contract.generated.ts';
import { UsageError } from '../../../server/src/config/usage-error.ts';
import type { Call } from '../command-group.ts';
import { clientOf } from '../connection.ts';
import { showListing } from '../listing.ts';
import { countFrom, int64From } from '../numbers.ts';
import { type Column, exitWhenReaderCloses, show } from '../output.ts';

const columns: readonly Column<Pet>[] = [
  ['ID', ({ id }) => id],
  ['NAME', ({ name }) => name],
  ['CATEGORY', ({ category }) => category],
  ['STOCK', ({ stock }) => stock],
  ['STATUS', ({ status }) => status],
];

export const listPets = exitWhenReaderCloses(async (call) => {
  const { category, status } = call.values;
  const client = clientOf(call);
  const filter = { category: category?.toString(), status: status as PetFilter['status'] };
  await showListing('pets', call, columns, (limit) => client.pets.list({ ...filter, limit }));
});

export async function createPet(call: Call): Promise<void> {
  const { name, category, stock } = call.values;
  if (name === undefined || category === undefined)
    throw new UsageError('pets create requires --name TEXT and --category TEXT');
  const units = stock === undefined ? {} : { stock: countFrom('--stock', stock, inputLimits.stock) };
  const pet = { name: String(name), category: String(category), ...units };
  await show(await clientOf(call).pets.create(pet), columns, call);
}

export async function setStock(call: Call): Promise<void> {
  const [id = '', stock = ''] = call.args;
  const petId = int64From('pet ID', id);
  const patch = { stock: countFrom('stock', stock, inputLimits.stock) };
  await show(await clientOf(call).pets.change(petId, patch), columns, call);
}

export async function getPet(call: Call): Promise<void> {
  await show(await clientOf(call).pets.get(int64From('pet ID', call.args[0])), columns, call);
}

/** Updates only the fields given as flags. */
export async function setPet(call: Call): Promise<void> {
  const { name, category, stock } = call.values;
  const petId = int64From('pet ID', call.args[0]);
  const patch = {
    ...(name !== undefined && { name: String(name) }),
    ...(category !== undefined && { category: String(category) }),
    ...(stock !== undefined && { stock: countFrom('--stock', stock, inputLimits.stock) }),
  };
  if (Object.keys(patch).length === 0)
    throw new UsageError('pets set requires --name TEXT, --category TEXT or --stock N');
  await show(await clientOf(call).pets.change(petId, patch), columns, call);
}
