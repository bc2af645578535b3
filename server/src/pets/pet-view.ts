import { documentBody } from '../http/fields/body.ts';
import { allOptional } from '../http/fields/field.ts';
import { documentView, serializer, type ViewFields } from '../http/fields/view-fields.ts';
import { described, int64Schema, schemaRef } from '../http/openapi/openapi.ts';
import { enumeration } from '../http/openapi/schemas.ts';
import { pageSchema } from '../http/pages/paging.ts';
import { type Pet, type PetFields, petFields } from './pet.ts';

export const petStatuses = ['available', 'sold'] as const;

export const petExample = { id: 1, name: 'Rex', category: 'dog', status: 'available', stock: 24 };
export const petInputExample = { name: 'Luna', category: 'cat', stock: 3 };
export const createdPetExample = { id: 13, name: 'Luna', category: 'cat', status: 'available', stock: 3 };
export const petPatchExample = { stock: 40 };
export const changedPetExample = { ...petExample, ...petPatchExample };

export const petChangeFields = allOptional(petFields);

/** The input field's schema, without limits that stored values may exceed. */
function sameAsInput(name: keyof PetFields) {
  const { schema, description } = petFields[name];
  const { pattern, maximum, ...unlimited } = schema as { pattern?: string; maximum?: number };
  return {
    schema: described(unlimited, description, petExample[name]),
    write: ({ [name]: value }: Pet) => (typeof value === 'bigint' ? `${value}` : JSON.stringify(value)),
  };
}

export const petViewFields = {
  id: {
    schema: described(int64Schema, 'Unique pet id.', petExample.id),
    write: ({ id }) => `${id}`,
  },
  name: sameAsInput('name'),
  category: sameAsInput('category'),
  status: {
    schema: schemaRef('PetStatus'),
    write: ({ stock }) => (stock > 0n ? '"available"' : '"sold"'),
  },
  stock: sameAsInput('stock'),
} satisfies ViewFields<Pet>;

export const writePet = serializer(petViewFields);

export const petSchemas = {
  Pet: documentView('A pet.', petViewFields),
  PetStatus: enumeration('`sold` when none are left.', petStatuses),
  PetPage: pageSchema('A page of pets.', 'Pet'),
  PetInput: documentBody(petFields, 'A pet to create. Accepts no other fields.'),
  PetPatch: documentBody(petChangeFields, 'At least one field to change. Accepts no other fields.', {
    minProperties: 1,
  }),
};
