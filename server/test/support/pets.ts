import type { Pet } from '../../src/pets/pet.ts';
import { createPet } from '../../src/pets/save-pet.ts';
import type { TestService } from './service.ts';

type Writer = TestService['deployment']['writer'];

/** The fields of a pet, for tests that do not depend on them. */
export const anyPet = { name: 'Rex', category: 'dog', stock: 1n };

/** Adds a pet without a request. */
export function insertPet(
  writer: Writer,
  storeId: bigint,
  fields: Partial<typeof anyPet> = {},
): Promise<Pet> {
  return writer.apply(createPet, { ...anyPet, ...fields, storeId, at: 0n });
}
