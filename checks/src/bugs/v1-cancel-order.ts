import type { Bug, BugHooks, CallService, WireResponse } from './bug.ts';
import { idIn, noContent, rejectWith, succeed } from './mutations.ts';

const operation = 'v1.cancelOrder';

/** The status of the order in a path of version 1, read with version 2; undefined if it never existed. */
async function statusOf(path: string, callService: CallService): Promise<string | undefined> {
  const { body } = await callService(`GET /v2/store/orders/${idIn(path)}`);
  return /"status":"(\w+)"/.exec(body)?.[1];
}

/** Changes the error for an order in a state. `state` is undefined for an order that never existed. */
function whenRejected(
  status: number,
  state: string | undefined,
  change: (response: WireResponse) => void,
): BugHooks {
  return {
    async response(response, { path }, callService) {
      if (response.status === status && (await statusOf(path, callService)) === state) change(response);
    },
  };
}

export const v1CancelOrder: readonly Bug[] = [
  {
    id: 'cancel-does-nothing',
    level: 'easy',
    operation,
    summary: 'Cancelling returns 204, but the order stays.',
    hint: 'Look at the list before and after a change.',
    createHooks: () => ({
      intercept: async ({ path }, callService) =>
        (await statusOf(path, callService)) === 'pending' ? noContent() : undefined,
    }),
  },
  {
    id: 'cancel-twice-is-204',
    level: 'easy',
    operation,
    summary: 'Cancelling an order a second time returns 204.',
    hint: 'Do it again.',
    createHooks: () => whenRejected(404, 'cancelled', succeed),
  },
  {
    id: 'unknown-order-is-204',
    level: 'easy',
    operation,
    summary: 'Cancelling an order that never existed returns 204.',
    hint: 'What if the order does not exist?',
    createHooks: () => whenRejected(404, undefined, succeed),
  },
  {
    id: 'shipped-order-is-204',
    level: 'easy',
    operation,
    summary: 'Cancelling a shipped order returns 204, but the order stays.',
    hint: 'Only some orders can be cancelled.',
    createHooks: () => whenRejected(409, 'shipped', succeed),
  },
  {
    id: 'delivered-order-is-404',
    level: 'medium',
    operation,
    summary: 'Cancelling a delivered order returns 404, as if it did not exist.',
    hint: 'An order has four states. Try each.',
    createHooks: () => whenRejected(409, 'delivered', (response) => rejectWith(response, 404, 'not_found')),
  },
  {
    id: 'conflict-has-another-code',
    level: 'medium',
    operation,
    summary: 'The code of the 409 is `conflict`.',
    hint: 'Programs branch on the error code.',
    createHooks: () => ({
      response: (response) => response.status === 409 && rejectWith(response, 409, 'conflict'),
    }),
  },
  {
    id: 'error-says-another-status',
    level: 'medium',
    operation,
    summary: 'The body of a 404 has `status` 400.',
    hint: 'An Error has three fields.',
    createHooks: () => ({
      response(response) {
        if (response.status === 404) response.body = response.body.replace('"status":404', '"status":400');
      },
    }),
  },
  {
    id: 'leading-zero-is-ignored',
    level: 'hard',
    operation,
    summary: '`02` in a path is parsed as 2 and cancels that order.',
    hint: 'An ID has only one spelling.',
    createHooks: () => ({
      request(forwarded) {
        forwarded.path = forwarded.path.replace(/\/0+(?=\d+(\?|$))/, '/');
      },
    }),
  },
];
