import { int64, schemaRef } from '../openapi/openapi.ts';
import { MAX_CATEGORY, MAX_NAME } from './bodies.ts';
import { answered, enumeration } from './document-parts.ts';
import { shownPet } from './examples.ts';
import { petStatuses } from './list-parameters.ts';
import { pageSchema } from './page-schema.ts';

export const petSchemas = {
  Pet: answered('A pet.', {
    id: { ...int64, description: 'Unique pet identifier.', examples: [shownPet.id] },
    name: {
      type: 'string',
      minLength: 1,
      maxLength: MAX_NAME,
      description: 'What the pet is called.',
      examples: [shownPet.name],
    },
    category: {
      type: 'string',
      minLength: 1,
      maxLength: MAX_CATEGORY,
      description: 'What kind of animal it is, such as `dog`.',
      examples: [shownPet.category],
    },
    status: schemaRef('PetStatus'),
    stock: {
      ...int64,
      minimum: 0,
      description: 'Units that can be ordered.',
      examples: [shownPet.stock],
    },
  }),
  PetStatus: enumeration(
    '`sold` when none is left.',
    petStatuses,
    petStatuses.map((status) => status.toUpperCase()),
  ),
  PetPage: pageSchema('One page of pets.', 'Pet'),
};
