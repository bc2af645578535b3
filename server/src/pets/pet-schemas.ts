import { MAX_CATEGORY, MAX_NAME } from '../api/v2-bodies.ts';
import { shownPet } from '../api/v2-examples.ts';
import { petStatuses } from '../api/v2-list-parameters.ts';
import { answered, enumeration } from '../http/openapi/document-parts.ts';
import { int64, schemaRef } from '../http/openapi/openapi.ts';
import { pageSchema } from '../http/pages/page-schema.ts';

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
