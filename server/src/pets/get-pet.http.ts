import type { Database } from '../database/engine.ts';
import { notModified } from '../http/content/conditional.ts';
import { jsonTextAnswer } from '../http/content/json-answer.ts';
import { ApiError } from '../http/errors.ts';
import { idOf, pathId } from '../http/fields/path-id.ts';
import { callerOf } from '../http/guards/authenticate.ts';
import { notModifiedAnswer } from '../http/openapi/answers.ts';
import { answer, ifNoneMatch } from '../http/openapi/document-parts.ts';
import { caching } from '../http/openapi/headers.ts';
import { operation } from '../http/openapi/operation.ts';
import { findPet } from './find-pet.ts';
import { shownPet, writePet } from './shown-pet.ts';

export const getPet = operation({
  operationId: 'getPet',
  at: 'GET /pets/{petId}',
  stability: 'beta',
  tag: 'pets',
  summary: 'Read one pet',
  description: 'With its stock.',
  parameters: [pathId('petId', 'pet', shownPet.id), ifNoneMatch],
  answers: { 200: answer('The pet.', 'Pet', shownPet, caching), 304: notModifiedAnswer() },
  handle:
    ({ db }: { readonly db: Database }) =>
    async (request) => {
      const { storeId } = callerOf(request);
      const pet = await findPet(db, { storeId, petId: idOf(request, 'petId') });
      if (!pet) throw new ApiError('not_found');
      return notModified(request) ?? jsonTextAnswer(request, writePet(pet));
    },
});
