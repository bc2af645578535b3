import { linkTo, locationHeader } from '../http/openapi/operation.ts';
import { nextLinkHeader } from '../http/pages/paging.ts';
import { changePetOperation } from './change-pet.http.ts';
import { createPetOperation } from './create-pet.http.ts';
import { getPet } from './get-pet.http.ts';
import { listPets } from './list-pets.http.ts';
import { createdPetExample, petSchemas } from './shown-pet.ts';

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
    GetPet: linkTo('getPet', 'petId', 'Reads the pet.'),
    ChangePet: linkTo('changePet', 'petId', 'Changes the pet.'),
  },
};
