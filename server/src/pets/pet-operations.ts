import { changedPet, createdPet, petInput, petPage, petPatch, shownPet } from '../api/v2-examples.ts';
import { petParameters } from '../api/v2-list-parameters.ts';
import { documentParameters } from '../http/content/parameters.ts';
import { anyOperationAnswers, forbidden, notFound, notModifiedAnswer } from '../http/openapi/answers.ts';
import {
  answer,
  beta,
  bodyAnswers,
  errorAnswer,
  ifNoneMatch,
  invalidQuery,
  links,
  page,
  pathId,
} from '../http/openapi/document-parts.ts';
import { caching, everyAnswer } from '../http/openapi/headers.ts';
import { headerRef, json, schemaRef } from '../http/openapi/openapi.ts';

const petId = pathId('petId', 'pet', shownPet.id);
const tags = ['pets'];

/** The pet operations, as the document has them. */
export const petPaths = {
  '/pets': {
    get: {
      operationId: 'listPets',
      ...beta,
      tags,
      summary: 'List pets, by page',
      description: 'Pets that satisfy all filters, by ascending id.',
      parameters: [...documentParameters(petParameters), ifNoneMatch],
      responses: {
        200: page('PetPage', petPage, 'PetsLink'),
        304: notModifiedAnswer(),
        ...anyOperationAnswers,
        400: invalidQuery,
      },
    },
    post: {
      operationId: 'createPet',
      ...beta,
      tags,
      summary: 'Add a pet',
      description: 'Without `stock` it starts with none.',
      requestBody: { required: true, ...json(schemaRef('PetInput'), petInput) },
      responses: {
        201: {
          ...answer('The pet is added.', 'Pet', createdPet, {
            ...everyAnswer,
            Location: headerRef('PetLocation'),
          }),
          links: links('GetPet', 'ChangePet'),
        },
        ...anyOperationAnswers,
        ...forbidden,
        ...bodyAnswers,
        409: errorAnswer('The store has as many pets as it may have.', ['pet_limit_reached']),
      },
    },
  },
  '/pets/{petId}': {
    get: {
      operationId: 'getPet',
      ...beta,
      tags,
      summary: 'Read one pet',
      description: 'With its stock.',
      parameters: [petId, ifNoneMatch],
      responses: {
        200: answer('The pet.', 'Pet', shownPet, caching),
        304: notModifiedAnswer(),
        ...anyOperationAnswers,
        ...notFound,
      },
    },
    patch: {
      operationId: 'changePet',
      ...beta,
      tags,
      summary: 'Change a pet',
      description: 'What is given is changed, the rest stays.',
      parameters: [petId],
      requestBody: {
        required: true,
        description: 'May be sent as `application/merge-patch+json` as well (RFC 7396); nothing can be null.',
        ...json(schemaRef('PetPatch'), petPatch),
        'x-also-as': ['application/merge-patch+json'],
      },
      responses: {
        200: answer('The pet, changed.', 'Pet', changedPet),
        ...anyOperationAnswers,
        ...forbidden,
        ...bodyAnswers,
        ...notFound,
      },
    },
  },
} as const;
