import { jsonTextAnswer } from '../http/content/json-answer.ts';
import { answer, errorAnswer, links } from '../http/openapi/document-parts.ts';
import { headerRef } from '../http/openapi/openapi.ts';
import { bodyWith, operation, type Services } from '../http/openapi/operation.ts';
import { petFields } from './pet.ts';
import { createPet } from './save-pet.ts';
import { createdPetExample, petInputExample, writePet } from './shown-pet.ts';

export const createPetOperation = operation({
  operationId: 'createPet',
  at: 'POST /pets',
  summary: 'Add a pet',
  description: 'Without `stock` it starts with none.',
  body: bodyWith('PetInput', petFields, petInputExample),
  answers: {
    201: {
      ...answer('The pet is added.', 'Pet', createdPetExample, { Location: headerRef('PetLocation') }),
      links: links('GetPet', 'ChangePet'),
    },
    409: errorAnswer('The store has as many pets as it may have.', ['pet_limit_reached']),
  },
  async handle({ request, storeId, body }, { writer, momentOf, quotas }: Services) {
    const input = { storeId, ...body, at: BigInt(momentOf(request)), most: quotas.pets };
    const pet = await writer.apply(createPet, input);
    return jsonTextAnswer(request, writePet(pet), 201, ['location', `/v2/pets/${pet.id}`]);
  },
});
