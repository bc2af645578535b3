import { headerOf } from '../engine/wire.ts';
import type { Outcome } from './question.ts';

export const demonstration = Array.from({ length: 40 }, (_, i) => String(i + 1));
export const counted = (count: number) => Array.from({ length: count }, (_, i) => String(i + 1));

/** Expects exactly these lines and exit code 0. */
export const says =
  (expected: readonly string[]) =>
  ({ code, end, printed }: Outcome): string | undefined => {
    if (code !== 0) return `it ${end}`;
    const lines = new Set(printed);
    const missing = expected.find((line) => !lines.has(line));
    if (missing !== undefined) return `it did not print ${missing}`;
    if (printed.length === expected.length) return undefined;
    return `it printed ${printed.length} lines instead of ${expected.length}`;
  };

/** Expects the correct result or a reported failure; never a wrong result with exit code 0. */
export const saysOrFails = (expected: readonly string[]) => (outcome: Outcome) =>
  outcome.code === 0 || outcome.code === null ? says(expected)(outcome) : undefined;

/** Expects a final response: at most one request of the operation, and a reported failure. */
export const isFinal = (outcome: Outcome) => {
  const { length } = outcome.requests;
  return length > 1 ? `it sent ${length} requests instead of 1` : fails(outcome);
};

export const succeeds = ({ code, end }: Outcome) => (code === 0 ? undefined : `it ${end}`);

/** Expects a reported failure. Hanging does not count. */
export const fails = ({ code, end }: Outcome) => (code === 0 || code === null ? `it ${end}` : undefined);

export const placed = ({ ids }: Outcome) => ids.length - demonstration.length;

/** Expects this number of new orders. */
export const places = (count: number, outcome: Outcome) => {
  const orders = placed(outcome);
  if (orders === count) return undefined;
  return orders === 1 ? '1 order was placed' : `${orders} orders were placed`;
};

/** Expects every attempt to place one order to have the same `Idempotency-Key`. */
export const repeatsKey = ({ requests }: Outcome) => {
  const keys = new Set(requests.map(({ asked }) => headerOf(asked, 'idempotency-key')));
  if (requests.length < 2 || (keys.size === 1 && !keys.has(undefined))) return undefined;
  return keys.has(undefined)
    ? 'it retried without an Idempotency-Key'
    : 'it retried with another Idempotency-Key';
};

const MAX_ATTEMPTS = 20;
const MAX_ATTEMPTS_PER_SECOND = 5;

/** Expects a bound on attempts and on their rate. */
export const isBounded = ({ requests }: Outcome) => {
  if (requests.length > MAX_ATTEMPTS) return `it sent ${requests.length} requests`;
  const isFast = requests.some(({ askedAt }, at) => {
    const later = requests[at + MAX_ATTEMPTS_PER_SECOND];
    return later !== undefined && later.askedAt - askedAt < 1000;
  });
  return isFast ? `it sent more than ${MAX_ATTEMPTS_PER_SECOND} requests within a second` : undefined;
};
