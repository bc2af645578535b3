import { headerOf } from '../../engine/wire.ts';
import { someOrders, somePet, somePets } from '../data.ts';
import {
  expectBounded,
  expectFailure,
  expectFinal,
  expectFullWaits,
  expectPlaced,
  expectPrinted,
  expectPrintedOrFailure,
  expectSameKey,
  retriesOf,
} from '../expectations.ts';
import type { Outcome, Question } from '../question.ts';

const list = { operation: 'v1.listOrders' } as const;
const listing = () => ({ ...list, task: 'list-orders', ...someOrders() }) as const;
const gettingPet = { task: 'get-pet-v1', operation: 'v1.getPet' } as const;
const placing = { task: 'place-order', operation: 'v2.placeOrder' } as const;
const placingFault = { operation: 'v2.placeOrder', fault: 'status' } as const;
const rejecting = (code: number, retryAfter: number) => ({
  fault: { ...list, fault: 'status', parameters: { code, retryAfter } },
});

/** Expects the list to be printed after a retry: the first request gets no list. */
const expectRetry = (outcome: Outcome) =>
  expectPrinted(outcome) ?? (outcome.requests.length > 1 ? undefined : 'it did not retry');

/**
 * Maximum difference between rounds in how late the retry comes after `Retry-After`. Jitter and a busy machine stay below it. A fixed wait does not, and a random one of up to 8 s passes four rounds of 1 to 6 s in 1 of 25 runs.
 */
const MAX_SPREAD_MS = 2_500;
const IRREGULAR = 'it did not wait for Retry-After: ';

/** Whether `Retry-After` was a date in the past. */
const wasPastDate = ({ requests }: Outcome) =>
  requests.some(({ response, responseAt }) => {
    const sent = headerOf(response, 'retry-after') ?? '';
    return !/^\d*$/.test(sent) && Date.parse(sent) < responseAt;
  });

/** Expects no retry before the time that the response allows, and waits that follow the header from round to round. */
function expectHonoredRetryAfter(outcome: Outcome, earlier: readonly Outcome[]): string | undefined {
  const [retry] = retriesOf(outcome);
  if (!retry) return `it did not retry${wasPastDate(outcome) ? ' after a date that has passed' : ''}`;
  const early = expectFullWaits(outcome);
  if (early !== undefined) return early;
  const retries = [...earlier, outcome].flatMap((one) => retriesOf(one).slice(0, 1));
  const late = retries.map((one) => one.late);
  if (Math.max(...late) - Math.min(...late) <= MAX_SPREAD_MS) return expectPrinted(outcome);
  return `${IRREGULAR}${retries.map(({ retryAfter, waited }) => `${waited} ms for ${retryAfter}`).join(', ')}`;
}

/** Irregular waits are inconclusive, because a busy machine delays retries. Early ones are not: no delay causes them. */
const honoring = {
  attempts: 3,
  isInconclusive: (problem: string) => problem.startsWith(IRREGULAR),
  problem: expectHonoredRetryAfter,
};

export const failures: readonly Question[] = [
  {
    ...listing(),
    id: 'dropped-read',
    requirement: 'retries a read after a dropped connection',
    hint: 'Retries: a read has no side effects.',
    fault: { ...list, fault: 'drop' },
    problem: expectRetry,
  },
  {
    ...listing(),
    id: 'reset-connection',
    requirement: 'retries after a reset connection',
    hint: 'Opens a new connection and retries.',
    fault: { ...list, fault: 'reset' },
    problem: expectRetry,
  },
  {
    id: 'stale-connection',
    requirement: 'handles a stale connection',
    hint: 'Opens a new connection if the pooled one was closed.',
    task: 'list-pets-twice',
    operation: 'v1.listPets',
    ...somePets(),
    fault: { operation: 'v1.listPets', fault: 'stale-connection' },
    problem: expectPrinted,
  },
  {
    ...listing(),
    id: 'retry-after',
    requirement: 'honors Retry-After',
    hint: 'Waits for the number of seconds in the 503, then retries. A fixed or random pause is too short or too long.',
    rounds: [
      { ...rejecting(503, 1), headerCase: 'lower' },
      { ...rejecting(503, 6), headerCase: 'title' },
      { ...rejecting(503, 2), headerCase: 'upper' },
      rejecting(503, 5),
    ],
    ...honoring,
  },
  {
    ...listing(),
    id: 'retry-after-date',
    requirement: 'honors Retry-After as a date',
    hint: 'Parses a date in GMT as well as a number of seconds, waits until that date, and retries if it has passed.',
    // East of Greenwich, a GMT date misread as local time is already past. HTTP dates have whole seconds.
    timeZone: 'Asia/Kolkata',
    rounds: [2, 6, -30].map((retryAfterDate) => ({ ...rejecting(503, 1), retryAfterDate })),
    ...honoring,
  },
  {
    ...listing(),
    id: 'rate-limit',
    requirement: 'waits when it exceeds the rate limit',
    hint: 'Waits for the number of seconds in each 429, as for a 503, then retries.',
    fault: { ...rejecting(429, 2).fault, times: 2 },
    problem: (outcome) =>
      retriesOf(outcome).length === 0
        ? 'it did not retry'
        : (expectFullWaits(outcome) ?? expectPrintedOrFailure(outcome)),
  },
  {
    ...placing,
    id: 'busy-order',
    requirement: 'waits before it orders again from a busy service',
    hint: 'Honors `Retry-After` for changes, too, or fails; and fails if the service stays unavailable.',
    rounds: [
      { fault: { ...placingFault, parameters: { code: 429, retryAfter: 3 } } },
      { fault: { ...placingFault, parameters: { code: 503, retryAfter: 0 }, times: null } },
    ],
    problem(outcome, { length }) {
      if (length > 0)
        return (
          expectBounded(outcome) ?? (expectFailure(outcome) && `it ${outcome.end}, and no order was placed`)
        );
      const wrong = expectFullWaits(outcome);
      if (wrong !== undefined || outcome.code === 0) return wrong ?? expectPlaced(1, outcome);
      return expectFailure(outcome) ?? expectPlaced(0, outcome);
    },
  },
  {
    ...placing,
    id: 'order-never-responds',
    requirement: 'gives up on an order without a response',
    hint: 'Has a timeout for changes, too; after it, retries with the same `Idempotency-Key` or fails.',
    silentOnce: 'before the response',
    problem: (outcome) =>
      expectSameKey(outcome) ?? (outcome.code === 0 ? expectPlaced(1, outcome) : expectFailure(outcome)),
  },
  {
    ...listing(),
    id: 'gives-up',
    requirement: 'gives up on a service that stays unavailable',
    hint: 'Sends a few requests with growing delays, then fails, whether it gets 503 or no response.',
    rounds: [
      { fault: { ...rejecting(503, 0).fault, times: null } },
      { fault: { ...list, fault: 'drop', times: null } },
      { fault: { ...list, fault: 'reset', times: null } },
    ],
    problem: (outcome) => expectBounded(outcome) ?? expectFailure(outcome),
  },
  {
    ...listing(),
    id: 'never-responds',
    requirement: 'times out on a response that never starts or never ends',
    hint: 'Has its own timeout, which also covers the body, then retries or fails.',
    rounds: [{ silentOnce: 'before the response' }, { silentOnce: 'within the body' }],
    problem: expectPrintedOrFailure,
  },
  {
    ...listing(),
    id: 'truncated-body',
    requirement: 'detects a truncated body',
    hint: 'Fails or retries; never prints half a list.',
    fault: { ...list, fault: 'truncate', times: null },
    problem: (outcome) => expectBounded(outcome) ?? expectPrintedOrFailure(outcome),
  },
  {
    ...listing(),
    id: 'garbage',
    requirement: 'detects a garbage response',
    hint: 'Fails or retries.',
    fault: { ...list, fault: 'garbage', times: null },
    problem: (outcome) => expectBounded(outcome) ?? expectPrintedOrFailure(outcome),
  },
  {
    ...listing(),
    id: 'slow-answer',
    requirement: 'waits for a slow response',
    hint: 'Keeps reading while bytes arrive.',
    fault: { ...list, fault: 'slow', parameters: { ms: 3000 }, times: null },
    problem: expectPrinted,
  },
  {
    ...gettingPet,
    id: 'deprecation',
    requirement: 'warns about a deprecated operation',
    hint: 'If the response has `Deprecation`, prints a warning with the path or the date of `Sunset` on standard error.',
    rounds: [
      { ...somePet(), sunset: { date: 'Sat, 04 Oct 2031 00:00:00 GMT' }, headerCase: 'title' },
      { ...somePet(), sunset: {} },
    ],
    problem: (outcome, [first]) =>
      expectPrinted(outcome) ??
      (first ? expectNoWarning(outcome.stderr, first.stderr) : expectWarning(outcome.stderr)),
  },
  {
    ...gettingPet,
    id: 'gone',
    requirement: 'treats 410 as final',
    hint: 'Sends one request and fails: a removed operation does not come back.',
    fault: { operation: 'v1.getPet', fault: 'status', parameters: { code: 410 }, times: null },
    problem: expectFinal,
  },
];

const warningsIn = (stderr: string) => stderr.split('\n').filter((line) => /deprecat|sunset/i.test(line));

/** Whether a warning names the operation, or the date that the response named. */
const isAboutOperation = (warning: string) =>
  /pets\/(1\b|:\w|[{<]\w)|\bgetPet\b|2031-10-04|0?4 Oct(ober)? 2031|Oct(ober)? 0?4,? 2031/i.test(warning);

/** Of runtimes and package managers, which warn of their own deprecations. */
const fromRuntime =
  /DeprecationWarning|\[DEP\d+\]|^npm warn|terminally deprecated|:\d+: warning:|\bin \S+ on line \d+/i;

/** Expects no warning: the response is not marked as deprecated. A runtime's own, which the first round had, too, do not count. */
function expectNoWarning(stderr: string, first: string): string | undefined {
  const withoutDigits = (text: string) => text.replaceAll(/\d+/g, '');
  const constant = warningsIn(first)
    .filter((warning) => fromRuntime.test(warning) && !isAboutOperation(warning))
    .map(withoutDigits);
  const isConstant = (warning: string) => constant.includes(withoutDigits(warning));
  return warningsIn(stderr).every((warning) => !isAboutOperation(warning) && isConstant(warning))
    ? undefined
    : 'it warned about a response without `Deprecation`';
}

/** Expects a line that names the operation, or the date that the response named; a hard-coded date does not count. */
function expectWarning(stderr: string): string | undefined {
  const warnings = warningsIn(stderr);
  if (warnings.length === 0) return 'no warning on standard error';
  if (!warnings.some(isAboutOperation)) return 'the warning names neither the path nor the date of Sunset';
  // The year of the service's own document; not the number of a process or of a line.
  const hasWrongYear = (warning: string) => /(?<!:|\bpid |\bprocess )\b2030\b/i.test(warning);
  return warnings.some(hasWrongYear) ? 'the warning names a date that no response had' : undefined;
}
