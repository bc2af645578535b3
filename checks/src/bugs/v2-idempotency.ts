import type { Bug, WireResponse } from './bug.ts';
import { editHead } from './mutations.ts';

const operation = 'v2.placeOrder';

export const v2Idempotency: readonly Bug[] = [
  {
    id: 'retry-places-again',
    level: 'medium',
    operation,
    summary: 'A repeated order with the same `Idempotency-Key` is placed again.',
    hint: 'What does a client do when the response is lost?',
    createHooks: () => ({
      request({ headers }) {
        delete headers['idempotency-key'];
      },
    }),
  },
  {
    id: 'reused-key-replays',
    level: 'hard',
    operation,
    summary: 'A different order with an `Idempotency-Key` that was already used gets the first response.',
    hint: 'Send the same key with a different body.',
    createHooks() {
      const firstResponses = new Map<string, WireResponse>();
      return {
        response(response, { headers }) {
          const key = headers['idempotency-key'];
          if (key === undefined) return;
          if (response.status === 201) firstResponses.set(key, structuredClone(response));
          const firstResponse = firstResponses.get(key);
          if (firstResponse && response.body.includes('"idempotency_key_reused"'))
            Object.assign(response, firstResponse);
        },
      };
    },
  },
  {
    id: 'replay-is-not-told',
    level: 'hard',
    operation,
    summary: 'A replayed response lacks `Idempotent-Replayed`.',
    hint: 'How does a client recognize a replayed response?',
    createHooks: () => editHead(201, ({ headers }) => delete headers['idempotent-replayed']),
  },
];
