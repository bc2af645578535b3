import type { Bug } from './bug.ts';
import { inEach, inHead } from './mutations.ts';

export const v1Pets: readonly Bug[] = [
  {
    id: 'no-key-is-needed',
    level: 'easy',
    operation: 'v1.listPets',
    summary: 'The pets are shown to whoever asks, with a key or without.',
    hint: 'What if there is no key?',
    breaks() {
      let shown = '[]';
      return {
        response(response) {
          if (response.status === 200) shown = response.body;
          if (response.status === 401) Object.assign(response, { status: 200, body: shown });
        },
      };
    },
  },
  {
    id: 'sold-pet-is-available',
    level: 'medium',
    operation: 'v1.listPets',
    summary: 'Every pet is `available`, also where none is left.',
    hint: 'Sell the last one.',
    breaks: () => inEach((pet) => Object.assign(pet, { status: 'available' })),
  },
  {
    id: 'unknown-pet-is-null',
    level: 'easy',
    operation: 'v1.getPet',
    summary: 'A pet that does not exist is `null`, with 200.',
    hint: 'What if there is no such pet?',
    breaks: () => ({
      response(response) {
        if (response.status === 404) Object.assign(response, { status: 200, body: 'null' });
      },
    }),
  },
  {
    id: 'deprecation-is-not-told',
    level: 'hard',
    operation: 'v1.getPet',
    summary: 'The answer lacks the `Deprecation` header.',
    hint: 'One operation of version 1 is on its way out, and says so.',
    breaks: () => inHead(200, ({ headers }) => delete headers.deprecation),
  },
];
