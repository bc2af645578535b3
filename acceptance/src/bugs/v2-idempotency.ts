import type { Bug } from './bug.ts';

const operation = 'v2.placeOrder';

export const v2Idempotency: readonly Bug[] = [
  {
    id: 'retry-places-again',
    level: 'medium',
    operation,
    summary: 'An order that is sent again with the same `Idempotency-Key` is placed again.',
    hint: 'What does a client do whose answer was lost?',
    breaks: () => ({
      request({ headers }) {
        delete headers['idempotency-key'];
      },
    }),
  },
];
