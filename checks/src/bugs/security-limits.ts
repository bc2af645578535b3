import type { Bug } from './bug.ts';
import { readJson } from './mutations.ts';
import { editQuery } from './v2-pages.ts';

const MAX_LIMIT = 1_000;
const MAX_BODY = 64 * 1024;
const MAX_STORED = 100;

/** Limits on what a request may cost. */
export const securityOfLimits: readonly Bug[] = [
  {
    id: 'limit-has-no-maximum',
    level: 'easy',
    owasp: 'API4:2023',
    operation: 'v2.listOrders',
    summary: '`limit` has no maximum.',
    hint: 'How much can one request cost?',
    createHooks: () =>
      editQuery((query) => {
        const limit = query.get('limit') ?? '';
        if (/^\d+$/.test(limit) && Number(limit) > MAX_LIMIT) query.set('limit', String(MAX_LIMIT));
      }),
  },
  {
    id: 'rate-limit-is-not-enforced',
    level: 'hard',
    owasp: 'API4:2023',
    operation: 'v1.listPets',
    summary: 'Requests beyond the rate limit of the store still succeed.',
    hint: 'A store in the sandbox can have a rate limit of its own.',
    createHooks() {
      const lastBodies = new Map<string, string>();
      return {
        response(response, { headers: { authorization = '', prefer = '' } }) {
          if (response.status === 200) {
            lastBodies.delete(authorization);
            lastBodies.set(authorization, response.body);
            for (const oldest of lastBodies.keys())
              if (lastBodies.size > MAX_STORED) lastBodies.delete(oldest);
          }
          const body = lastBodies.get(authorization);
          if (response.status !== 429 || body === undefined || /\bcode=/.test(prefer)) return;
          Object.assign(response, { status: 200, body });
          delete response.headers['retry-after'];
        },
      };
    },
  },
  {
    id: 'body-has-no-maximum',
    level: 'medium',
    owasp: 'API4:2023',
    operation: 'v2.placeOrder',
    summary: 'A request body of 10 MB is accepted.',
    hint: 'Send too much of something.',
    createHooks: () => ({
      maxBody: 16_000_000,
      request(forwarded) {
        if (forwarded.body.length > MAX_BODY) forwarded.body = orderFieldsOf(forwarded.body);
      },
    }),
  },
];

/** Only the fields of an order, so that the service accepts an oversized body. */
function orderFieldsOf(body: string): string {
  try {
    const { petId, quantity, shipDate } = readJson(body) as Record<string, unknown>;
    return JSON.stringify({ petId, quantity, shipDate });
  } catch {
    return body;
  }
}
