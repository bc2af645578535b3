import { randomBytes, randomInt } from 'node:crypto';

/** Data that no client can know: new in every run of the check. */

/** A list of orders to print, whose ids are far apart. */
export function someOrders(count = 12) {
  const expected = Array.from({ length: count }, (_, at) => String(1_000 * (10 + at) + randomInt(1_000)));
  const orders = expected.map((id) => ({ id: Number(id), petId: 1, quantity: 1 }));
  return { expected, dataSet: { data: { pets: [petNamed('Rex')], orders } } };
}

/** A pet 1 whose name is to be printed. */
export function somePet() {
  const name = `Rex-${randomWord()}`;
  return { expected: [name], dataSet: { data: { pets: [petNamed(name)], orders: [] } } };
}

/** A pet 1 whose name is not found by searching the JSON for it, nor by reading it as Latin-1. */
export function someQuotedPet() {
  const name = `Rex "${randomWord()}" Zoë`;
  return { expected: [name], dataSet: { data: { pets: [petNamed(name)], orders: [] } } };
}

/** A pet 1 that cannot be ordered. */
export const soldOut = {
  data: { pets: [{ id: 1, name: 'Rex', category: 'dog', stock: 0 }], orders: [] },
};

export const randomWord = (): string => randomBytes(4).toString('hex');

const petNamed = (name: string) => ({ id: 1, name, category: 'dog', stock: 50 });

/** Pets whose list is to be printed twice. */
export function somePets() {
  const ids = Array.from({ length: 6 }, (_, at) => 1_000 * (10 + at) + randomInt(1_000));
  const expected = ids.map(String);
  const pets = ids.map((id) => ({ ...petNamed('Rex'), id }));
  return { expected: [...expected, ...expected], dataSet: { data: { pets, orders: [] } } };
}
