import { documentBody } from '../http/fields/body.ts';
import { integer, optional, PLAIN_TEXT, text } from '../http/fields/field.ts';
import { answered, enumeration } from '../http/openapi/document-parts.ts';
import { int64, schemaRef } from '../http/openapi/openapi.ts';
import { pageSchema } from '../http/pages/page-schema.ts';
import type { Pet } from './pet.ts';

/** How version 2 takes, shows and documents a pet. */

export const petStatuses = ['available', 'sold'] as const;
export const MAX_CATEGORY = 50;
const MAX_NAME = 100;
const MAX_STOCK = 1_000_000_000;

/** Examples are of the demonstration data: sent as they are, requests succeed on a new store. */
export const shownPet = { id: 1, name: 'Rex', category: 'dog', status: 'available', stock: 24 };
export const petInput = { name: 'Luna', category: 'cat', stock: 3 };
export const createdPet = { id: 13, name: 'Luna', category: 'cat', status: 'available', stock: 3 };
export const petPatch = { stock: 40 };
export const changedPet = { ...shownPet, ...petPatch };

const name = text({ maxLength: MAX_NAME, pattern: PLAIN_TEXT }, 'What the pet is called.', petInput.name);
const category = text(
  { maxLength: MAX_CATEGORY, pattern: PLAIN_TEXT },
  'What kind of animal it is, such as `dog`.',
  petInput.category,
);
const stock = integer('int64', [0, MAX_STOCK], 'Units that can be ordered.', petInput.stock);

export const petFields = { name, category, stock: optional(stock) };
export const petChangeFields = {
  name: optional(name),
  category: optional(category),
  stock: optional(stock),
};

export function writePet(pet: Pet): string {
  return (
    `{"id":${pet.id},"name":${JSON.stringify(pet.name)},"category":${JSON.stringify(pet.category)},` +
    `"status":"${pet.stock > 0n ? 'available' : 'sold'}","stock":${pet.stock}}`
  );
}

export const petSchemas = {
  Pet: answered('A pet.', {
    id: { ...int64, description: 'Unique pet identifier.', examples: [shownPet.id] },
    name: {
      type: 'string',
      minLength: 1,
      maxLength: MAX_NAME,
      description: name.description,
      examples: [shownPet.name],
    },
    category: {
      type: 'string',
      minLength: 1,
      maxLength: MAX_CATEGORY,
      description: category.description,
      examples: [shownPet.category],
    },
    status: schemaRef('PetStatus'),
    stock: { ...int64, minimum: 0, description: stock.description, examples: [shownPet.stock] },
  }),
  PetStatus: enumeration(
    '`sold` when none is left.',
    petStatuses,
    petStatuses.map((status) => status.toUpperCase()),
  ),
  PetPage: pageSchema('One page of pets.', 'Pet'),
  PetInput: documentBody(petFields, 'A pet to add. It has no other fields.'),
  PetPatch: documentBody(petChangeFields, 'What to change of a pet, at least one field. It has no others.', {
    minProperties: 1,
  }),
};
