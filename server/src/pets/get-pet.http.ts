import { notModified } from '../http/content/conditional.ts';
import { jsonTextAnswer } from '../http/content/json-answer.ts';
import { found } from '../http/errors.ts';
import { pathId } from '../http/fields/parameters.ts';
import { cachedAnswers } from '../http/openapi/document-parts.ts';
import { operation, type Services } from '../http/openapi/operation.ts';
import { findPet } from './pet.ts';
import { petExample, writePet } from './shown-pet.ts';

export const getPet = operation({
  operationId: 'getPet',
  at: 'GET /pets/{petId}',
  summary: 'Read one pet',
  description: 'With its stock.',
  path: { petId: pathId('pet', petExample.id) },
  answers: cachedAnswers('The pet.', 'Pet', petExample),
  async handle({ request, storeId, petId }, { db }: Services) {
    const pet = found(await db.all(findPet, { storeId, petId }));
    return notModified(request) ?? jsonTextAnswer(request, writePet(pet));
  },
});
