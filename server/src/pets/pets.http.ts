import { jsonTextResponse, notModified } from '../http/content/negotiation.ts';
import { respondFromCache } from '../http/content/response-cache.ts';
import { firstOrNotFound } from '../http/errors.ts';
import { oneOf, searchText } from '../http/fields/field.ts';
import { invalidParameter, pathId } from '../http/fields/parameters.ts';
import { headerRef, schemaRef } from '../http/openapi/openapi.ts';
import { cacheableResponses, cachedPage, errorResponse, links, response } from '../http/openapi/responses.ts';
import { bodyWith, linkTo, locationHeader, operation, type Services } from '../http/operations/operation.ts';
import { readInSlices } from '../http/pages/page-response.ts';
import { cursorExample, DEFAULT_LIMIT, invalidQuery, nextLinkHeader, paging } from '../http/pages/paging.ts';
import { findPet, MAX_CATEGORY_LENGTH, type Pet, petFields, petPage } from './pet.ts';
import {
  changedPetExample,
  createdPetExample,
  petChangeFields,
  petExample,
  petInputExample,
  petPatchExample,
  petSchemas,
  petStatuses,
  writePet,
} from './pet-view.ts';
import { changePet, createPet } from './save-pet.ts';

const PETS_PER_TICK = 400n;

const listPets = operation({
  operationId: 'listPets',
  at: 'GET /pets',
  summary: 'List pets',
  description: 'Returns a page of the pets that match all filters, sorted by ascending id.',
  query: {
    category: searchText(MAX_CATEGORY_LENGTH, 'Only pets of this category.', petExample.category),
    status: oneOf(
      'Only pets that are in stock (`available`) or out of stock (`sold`).',
      schemaRef('PetStatus'),
      petStatuses,
    ),
    ...paging,
  },
  responses: {
    ...cachedPage('PetPage', { data: [petExample], nextCursor: cursorExample }, 'PetsLink'),
    400: invalidQuery,
  },
  handle({ request, storeId, query }, { db, cursors, respondWithPage }: Services) {
    const { category, status, limit = BigInt(DEFAULT_LIMIT), cursor } = query;
    const purpose = `pets ${storeId} ${status} ${JSON.stringify(category)}`;
    const after = cursor === undefined ? undefined : cursors.read(purpose, cursor)[1];
    const unchanged = notModified(request);
    if (unchanged) return unchanged;

    const available = status === undefined ? undefined : status === 'available';
    const filter = { storeId, category, available };
    return respondWithPage(request, {
      name: 'pets',
      ...readInSlices(limit, PETS_PER_TICK, (last: Pet | undefined, size) =>
        petPage(db, { ...filter, after: last?.id ?? after, limit: size }),
      ),
      write: writePet,
      cursorAfter: (last) => cursors.write(purpose, [0n, last.id]),
    });
  },
});

const createPetOperation = operation({
  operationId: 'createPet',
  at: 'POST /pets',
  summary: 'Create a pet',
  description:
    '`stock` is 0 by default. A retry creates a second pet: after a lost response, list the pets before you retry.',
  body: bodyWith('PetInput', petFields, petInputExample),
  responses: {
    201: {
      ...response('The pet is created.', 'Pet', createdPetExample, { Location: headerRef('PetLocation') }),
      links: links('GetPet', 'ChangePet'),
    },
    400: errorResponse(
      'The body is not valid, or the request has an `Idempotency-Key`, which this operation does not support.',
      ['invalid_body', 'invalid_parameter'],
    ),
    409: errorResponse('The pet limit of the store is reached.', ['pet_limit_reached']),
  },
  async handle({ request, storeId, body }, { writer, effectiveTime, quotas }: Services) {
    if (request.headers['idempotency-key'] !== undefined)
      throw invalidParameter('Idempotency-Key', 'is not supported by this operation');
    const input = { storeId, ...body, at: BigInt(effectiveTime(request)), maxPets: quotas.pets };
    const pet = await writer.apply(createPet, input);
    return jsonTextResponse(request, writePet(pet), 201, ['location', `/v2/pets/${pet.id}`]);
  },
});

const getPet = operation({
  operationId: 'getPet',
  at: 'GET /pets/{petId}',
  summary: 'Get a pet',
  description: 'Returns the pet with its stock.',
  path: { petId: pathId('pet', petExample.id) },
  responses: cacheableResponses('The pet.', 'Pet', petExample),
  handle: ({ request, storeId, petId }, { db, responses }: Services) =>
    respondFromCache(request, responses, `pet ${petId}`, async () =>
      writePet(firstOrNotFound(await db.all(findPet, { storeId, petId }))),
    ),
});

const changePetOperation = operation({
  operationId: 'changePet',
  at: 'PATCH /pets/{petId}',
  summary: 'Update a pet',
  description: 'Changes the given fields; the others stay as they are.',
  path: { petId: pathId('pet', petExample.id) },
  body: bodyWith('PetPatch', petChangeFields, petPatchExample, {
    allowEmpty: false,
    description: '`application/merge-patch+json` (RFC 7396) is also accepted. No field can be null.',
    alsoAs: ['application/merge-patch+json'],
  }),
  responses: { 200: response('The updated pet.', 'Pet', changedPetExample) },
  async handle({ request, storeId, petId, body: given }, { writer, effectiveTime }: Services) {
    const pet = await writer.apply(changePet, { storeId, petId, given, at: BigInt(effectiveTime(request)) });
    return jsonTextResponse(request, writePet(pet));
  },
});

export const petsFeature = {
  tag: 'pets',
  stability: 'beta',
  operations: [listPets, createPetOperation, getPet, changePetOperation],
  schemas: petSchemas,
  headers: {
    PetsLink: nextLinkHeader('/v2/pets'),
    PetLocation: locationHeader(`/v2/pets/${createdPetExample.id}`),
  },
  links: {
    GetPet: linkTo('getPet', 'petId', 'Get the pet.'),
    ChangePet: linkTo('changePet', 'petId', 'Update the pet.'),
  },
};
