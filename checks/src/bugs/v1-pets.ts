import type { Bug } from './bug.ts';
import { editEach, editHead } from './mutations.ts';

export const v1Pets: readonly Bug[] = [
  {
    id: 'no-key-is-needed',
    level: 'easy',
    operation: 'v1.listPets',
    summary: 'Pets are listed without a key.',
    hint: 'What if there is no key?',
    createHooks() {
      let lastBody = '[]';
      return {
        response(response) {
          if (response.status === 200) lastBody = response.body;
          if (response.status === 401) Object.assign(response, { status: 200, body: lastBody });
        },
      };
    },
  },
  {
    id: 'sold-pet-is-available',
    level: 'medium',
    operation: 'v1.listPets',
    summary: 'Every pet is `available`, even without stock.',
    hint: 'Sell the last one.',
    createHooks: () => editEach((pet) => Object.assign(pet, { status: 'available' })),
  },
  {
    id: 'unknown-pet-is-null',
    level: 'easy',
    operation: 'v1.getPet',
    summary: 'Reading a missing pet returns 200 and `null`.',
    hint: 'What if the pet does not exist?',
    createHooks: () => ({
      response(response) {
        if (response.status === 404) Object.assign(response, { status: 200, body: 'null' });
      },
    }),
  },
  {
    id: 'deprecation-is-not-told',
    level: 'hard',
    operation: 'v1.getPet',
    summary: 'The `Deprecation` header is missing.',
    hint: 'One operation of version 1 is deprecated, and its responses say so.',
    createHooks: () => editHead(200, ({ headers }) => delete headers.deprecation),
  },
];
