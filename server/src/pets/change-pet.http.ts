import { jsonTextAnswer } from '../http/content/json-answer.ts';
import { pathId } from '../http/fields/parameters.ts';
import { answer } from '../http/openapi/document-parts.ts';
import { bodyWith, operation, type Services } from '../http/openapi/operation.ts';
import { changePet } from './save-pet.ts';
import { changedPetExample, petChangeFields, petExample, petPatchExample, writePet } from './shown-pet.ts';

export const changePetOperation = operation({
  operationId: 'changePet',
  at: 'PATCH /pets/{petId}',
  summary: 'Change a pet',
  description: 'What is given is changed, the rest stays.',
  path: { petId: pathId('pet', petExample.id) },
  body: bodyWith('PetPatch', petChangeFields, petPatchExample, {
    mayBeEmpty: false,
    description: 'May be sent as `application/merge-patch+json` as well (RFC 7396); nothing can be null.',
    alsoAs: ['application/merge-patch+json'],
  }),
  answers: { 200: answer('The pet, changed.', 'Pet', changedPetExample) },
  async handle({ request, storeId, petId, body: given }, { writer, momentOf }: Services) {
    const pet = await writer.apply(changePet, { storeId, petId, given, at: BigInt(momentOf(request)) });
    return jsonTextAnswer(request, writePet(pet));
  },
});
