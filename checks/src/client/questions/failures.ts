import { headerOf, statusOf } from '../../engine/wire.ts';
import { counted, demonstration, fails, isBounded, isFinal, says, saysOrFails } from '../expectations.ts';
import type { Outcome, Question } from '../question.ts';

const list = { operation: 'v1.listOrders' } as const;
const listing = { ...list, task: 'list-orders' } as const;
const gettingPet = { task: 'get-pet-v1', operation: 'v1.getPet' } as const;
const pets = counted(12);
const SHORT_SECONDS = 1;
const LONG_SECONDS = 4;
const unavailable = (retryAfter: number) => ({
  ...list,
  fault: 'status',
  parameters: { code: 503, retryAfter },
});
const expectList = says(demonstration);

/** Expects the list, from a second request: the first one got none. */
const expectRetry = (outcome: Outcome) =>
  expectList(outcome) ?? (outcome.requests.length > 1 ? undefined : 'it did not retry');

/** The rejected request and the next one, if there is one. */
function retryOf({ requests }: Outcome) {
  const at = requests.findIndex((one) => statusOf(one) === 503);
  const [first, second] = at < 0 ? [] : requests.slice(at);
  return first && second ? { first, second, waited: second.askedAt - first.responseAt } : undefined;
}

/** Whether the retry came no earlier than the response allowed. */
function waits(outcome: Outcome, until: (retryAfter: string, responseAt: number) => number) {
  const retry = retryOf(outcome);
  if (!retry) return 'it did not retry';
  const { first, second } = retry;
  const early = until(headerOf(first.response, 'retry-after') ?? '', first.responseAt) - second.askedAt;
  // Timers may fire a few milliseconds early.
  return early <= 10 ? expectList(outcome) : `it retried ${early} ms too early`;
}

/** Whether the wait grew with the header. Independent of delays that both rounds have. */
function waitsLonger(outcome: Outcome, [short]: readonly Outcome[]) {
  const [before, now] = [short && retryOf(short)?.waited, retryOf(outcome)?.waited];
  if (before === undefined || now === undefined) return undefined;
  if (now - before > (1000 * (LONG_SECONDS - SHORT_SECONDS)) / 2) return undefined;
  return `it waited ${before} ms for Retry-After: ${SHORT_SECONDS}, and ${now} ms for ${LONG_SECONDS}`;
}

export const failures: readonly Question[] = [
  {
    ...listing,
    id: 'dropped-read',
    ask: 'retries a read after a dropped connection',
    good: 'Retries: a read has no side effects.',
    fault: { ...list, fault: 'drop' },
    problem: expectRetry,
  },
  {
    ...listing,
    id: 'reset-connection',
    ask: 'retries after a reset connection',
    good: 'Opens a new connection and retries.',
    fault: { ...list, fault: 'reset' },
    problem: expectRetry,
  },
  {
    id: 'stale-connection',
    ask: 'handles a stale connection',
    good: 'Opens a new connection if the pooled one was closed.',
    task: 'list-pets-twice',
    operation: 'v1.listPets',
    fault: { operation: 'v1.listPets', fault: 'stale-connection' },
    problem: says([...pets, ...pets]),
  },
  {
    ...listing,
    id: 'retry-after',
    ask: 'honors Retry-After',
    good: 'Waits for the number of seconds in the 503, then retries. A fixed pause is too short or too long.',
    rounds: [{ fault: unavailable(SHORT_SECONDS) }, { fault: unavailable(LONG_SECONDS) }],
    attempts: 3,
    problem: (outcome, earlier) =>
      waits(outcome, (seconds, at) => at + 1000 * Number(seconds)) ?? waitsLonger(outcome, earlier),
  },
  {
    ...listing,
    id: 'retry-after-date',
    ask: 'honors Retry-After as a date',
    good: 'Parses both forms of `Retry-After`, and waits until that time.',
    fault: unavailable(2),
    retryAfterDate: true,
    problem: (outcome) => waits(outcome, (date) => Date.parse(date)),
  },
  {
    ...listing,
    id: 'gives-up',
    ask: 'gives up on a service that stays unavailable',
    good: 'Sends a few requests, with pauses that grow, and fails.',
    fault: { ...unavailable(0), times: null },
    problem: (outcome) => isBounded(outcome) ?? fails(outcome),
  },
  {
    ...listing,
    id: 'never-responds',
    ask: 'gives up on a request that gets no response',
    good: 'Has a timeout of its own; then it retries or fails.',
    silentOnce: true,
    problem: saysOrFails(demonstration),
  },
  {
    ...listing,
    id: 'truncated-body',
    ask: 'detects a truncated body',
    good: 'Fails or retries; never prints half a list.',
    fault: { ...list, fault: 'truncate', times: null },
    problem: (outcome) => isBounded(outcome) ?? saysOrFails(demonstration)(outcome),
  },
  {
    ...listing,
    id: 'garbage',
    ask: 'detects a garbage response',
    good: 'Fails or retries.',
    fault: { ...list, fault: 'garbage', times: null },
    problem: (outcome) => isBounded(outcome) ?? saysOrFails(demonstration)(outcome),
  },
  {
    ...listing,
    id: 'slow-answer',
    ask: 'waits for a slow response',
    good: 'Keeps reading as long as bytes arrive.',
    fault: { ...list, fault: 'slow', parameters: { ms: 3000 }, times: null },
    problem: expectList,
  },
  {
    ...gettingPet,
    id: 'deprecation',
    ask: 'warns about a deprecated operation',
    good: 'Prints a warning with the path or the date of `Sunset` on standard error.',
    sunset: 'Sat, 04 Oct 2031 00:00:00 GMT',
    problem: (outcome) => says(['Rex'])(outcome) ?? warns(outcome.said),
  },
  {
    ...gettingPet,
    id: 'gone',
    ask: 'treats 410 as final',
    good: 'Sends one request and fails: a removed operation does not come back.',
    fault: { operation: 'v1.getPet', fault: 'status', parameters: { code: 410 }, times: null },
    problem: isFinal,
  },
];

/** Expects a line that names the operation, or the date that the response named; not a date known beforehand. */
function warns(said: string): string | undefined {
  const lines = said.split('\n').filter((line) => /deprecat|sunset/i.test(line));
  if (lines.length === 0) return 'no warning on standard error';
  const isAbout = (line: string) =>
    /pets\/(1\b|:\w|[{<]\w)|\bgetPet\b|2031-10-04|0?4 Oct(ober)? 2031|Oct(ober)? 0?4,? 2031/i.test(line);
  if (!lines.some(isAbout)) return 'the warning names neither the path nor the date of Sunset';
  return /\b2030\b/.test(lines.join()) ? 'the warning names a date that no response had' : undefined;
}
