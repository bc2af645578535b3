import { notModified } from '../http/content/conditional.ts';
import { oneOf, searchText } from '../http/fields/field.ts';
import { cachedPage } from '../http/openapi/document-parts.ts';
import { schemaRef } from '../http/openapi/openapi.ts';
import { operation, type Services } from '../http/openapi/operation.ts';
import { slicesOf } from '../http/pages/page-answer.ts';
import { cursorExample, DEFAULT_LIMIT, invalidQuery, paging } from '../http/pages/paging.ts';
import { MAX_CATEGORY, type Pet, petPage } from './pet.ts';
import { petExample, petStatuses, writePet } from './shown-pet.ts';

const PETS_OF_A_TURN = 400n;

export const listPets = operation({
  operationId: 'listPets',
  at: 'GET /pets',
  summary: 'List pets, by page',
  description: 'Pets that satisfy all filters, by ascending id.',
  query: {
    category: searchText(MAX_CATEGORY, 'Only pets of this category.', petExample.category),
    status: oneOf(
      'Only pets of which some are left, or only those of which none is.',
      schemaRef('PetStatus'),
      petStatuses,
    ),
    ...paging,
  },
  answers: {
    ...cachedPage('PetPage', { data: [petExample], nextCursor: cursorExample }, 'PetsLink'),
    400: invalidQuery,
  },
  handle({ request, storeId, query }, { db, cursors, answerPage }: Services) {
    const { category, status, limit = BigInt(DEFAULT_LIMIT), cursor } = query;
    const purpose = `pets ${storeId} ${status} ${JSON.stringify(category)}`;
    const after = cursor === undefined ? undefined : cursors.read(purpose, cursor)[1];
    const unchanged = notModified(request);
    if (unchanged) return unchanged;

    const available = status === undefined ? undefined : status === 'available';
    const filter = { storeId, category, available };
    return answerPage(request, {
      ...slicesOf(limit, PETS_OF_A_TURN, (last: Pet | undefined, most) =>
        petPage(db, { ...filter, after: last?.id ?? after, limit: most }),
      ),
      write: writePet,
      cursorAfter: (last) => cursors.write(purpose, [0n, last.id]),
    });
  },
});
