import type { ResetInput } from '../../client/src/index.ts';
import type { InspectedRequest } from './api/requests.ts';
import type { Fault } from './api/sandbox.ts';
import { plural } from './format.ts';

export interface Verdict {
  readonly state: 'waiting' | 'passed' | 'failed';
  readonly text: string;
}

/** A scenario that a client has to survive: what it sets up, and how its requests are judged. */
export interface Recipe {
  readonly id: string;
  readonly title: string;
  readonly animal: string;
  /** What happens, in one or two sentences. */
  readonly story: string;
  /** What a client that passes does. */
  readonly advice: readonly string[];
  /** The call to try it with, below the base URL; `{pending}` is a pending order. */
  readonly call: readonly [method: string, path: string];
  readonly faults?: readonly Fault[];
  readonly reset?: ResetInput;
  /** Judges the requests since the start, oldest first. */
  readonly judge: (requests: readonly InspectedRequest[]) => Verdict;
}

const waiting = (text: string): Verdict => ({ state: 'waiting', text });
const passed = (text: string): Verdict => ({ state: 'passed', text });
const failed = (text: string): Verdict => ({ state: 'failed', text });

const inBothVersions = (operation: string, fault: Omit<Fault, 'operation'>): readonly Fault[] =>
  ['v1', 'v2'].map((version) => ({ operation: `${version}.${operation}`, ...fault }));

const endOf = ({ at }: InspectedRequest) => Date.parse(at);
const startOf = (request: InspectedRequest) => endOf(request) - request.durationMs;
const seconds = (ms: number) => `${(Math.max(0, ms) / 1000).toFixed(1)} s`;
const isOk = ({ status }: InspectedRequest) => status !== null && status < 400;

/** Judges what follows the first request in which the fault fired. */
const judgeAfter =
  (
    isHit: (request: InspectedRequest) => boolean,
    waitingText: string,
    judge: (hit: InspectedRequest, later: readonly InspectedRequest[]) => Verdict,
  ): Recipe['judge'] =>
  (requests) => {
    const at = requests.findIndex(isHit);
    const hit = requests[at];
    return hit ? judge(hit, requests.slice(at + 1)) : waiting(waitingText);
  };

const RETRY_AFTER_S = 3;
/** Clocks and timers round to milliseconds. */
const TOLERANCE_MS = 50;
const SLOW_MS = 5_000;

export const recipes: readonly Recipe[] = [
  {
    id: 'lost-response',
    title: 'Lost response',
    animal: 'cat',
    story:
      'The next cancellation is carried out, but the connection closes before the response. Was it cancelled?',
    advice: [
      'Treats a lost response as an unknown outcome, not as a failure.',
      'Cancels again and accepts 404 (version 1) or 409 (version 2) as success, or reads the order first.',
      'Sends changes that are not idempotent with an Idempotency-Key.',
    ],
    call: ['DELETE', '/v1/store/orders/{pending}'],
    faults: inBothVersions('cancelOrder', { fault: 'lost-answer', times: 1 }),
    judge: judgeAfter(
      ({ fault }) => fault === 'lost-answer',
      'Cancel a pending order with your client.',
      (hit, [next]) =>
        next
          ? passed(`${next.method} ${next.path} followed after ${seconds(startOf(next) - endOf(hit))}.`)
          : waiting('The response was lost. What does your client do next?'),
    ),
  },
  {
    id: 'rate-limited',
    title: '429 with Retry-After',
    animal: 'rabbit',
    story: `The next request is rejected with 429 and Retry-After: ${RETRY_AFTER_S}.`,
    advice: [
      'Waits as long as Retry-After says before it tries again.',
      'Understands seconds and HTTP dates.',
      'Adds jitter, so that many clients do not all retry at the same time.',
    ],
    call: ['GET', '/v1/store/orders'],
    faults: [
      {
        operation: '*',
        fault: 'status',
        parameters: { code: 429, retryAfter: RETRY_AFTER_S },
        times: 1,
      },
    ],
    judge: judgeAfter(
      ({ status, fault }) => status === 429 && fault === 'status',
      'Send any request with your client.',
      (hit, [next]) => {
        if (!next) return waiting(`Rejected. The next request is due in ${RETRY_AFTER_S} s.`);
        const pause = startOf(next) - endOf(hit);
        return pause >= RETRY_AFTER_S * 1000 - TOLERANCE_MS
          ? passed(`The next request came after ${seconds(pause)}.`)
          : failed(`The next request came after ${seconds(pause)}, sooner than Retry-After allows.`);
      },
    ),
  },
  {
    id: 'truncated',
    title: 'Truncated list',
    animal: 'fish',
    story: 'The next list breaks off halfway: status and headers are fine, half of the body is missing.',
    advice: [
      'Notices that the body is shorter than Content-Length, or not valid JSON.',
      'Never shows half a list as if it were whole.',
      'Reads the list again: a GET can be repeated safely.',
    ],
    call: ['GET', '/v1/store/orders'],
    faults: inBothVersions('listOrders', { fault: 'truncate', times: 1 }),
    judge: judgeAfter(
      ({ fault }) => fault === 'truncate',
      'List the orders with your client.',
      (hit, later) => {
        const again = later.find((one) => one.operation === hit.operation && isOk(one));
        return again
          ? passed(`The list was read again after ${seconds(startOf(again) - endOf(hit))}.`)
          : waiting('Half of the list was sent. Does your client notice?');
      },
    ),
  },
  {
    id: 'slow',
    title: 'Slow response',
    animal: 'tortoise',
    story: `The next list takes ${SLOW_MS / 1000} seconds to arrive, byte by byte.`,
    advice: [
      'Has a timeout that allows for a slow response.',
      'Does not send the same request again while the first is still arriving.',
      'Shows that it is waiting.',
    ],
    call: ['GET', '/v1/store/orders'],
    faults: inBothVersions('listOrders', { fault: 'slow', parameters: { ms: SLOW_MS }, times: 1 }),
    judge: (requests) => {
      const hit = requests.find(({ fault }) => fault === 'slow');
      if (!hit) return waiting('List the orders with your client.');
      const early = requests.find(
        (one) =>
          one !== hit && one.path === hit.path && startOf(one) > startOf(hit) && startOf(one) < endOf(hit),
      );
      return early
        ? failed(`Sent again after ${seconds(startOf(early) - startOf(hit))}, while the first was arriving.`)
        : passed(`The list arrived in ${seconds(hit.durationMs)}.`);
    },
  },
  {
    id: 'stale-connection',
    title: 'Stale connection',
    animal: 'hamster',
    story: 'The next response promises keep-alive, then the connection is closed silently.',
    advice: [
      'Opens a new connection if a reused one turns out to be closed.',
      'Repeats a GET that was lost with the connection; repeats a change only with an Idempotency-Key.',
    ],
    call: ['GET', '/v1/pets'],
    faults: [{ operation: '*', fault: 'stale-connection', times: 1 }],
    judge: judgeAfter(
      ({ fault }) => fault === 'stale-connection',
      'Send two requests in a row with your client.',
      (_, [next]) =>
        next
          ? passed(`The next request, ${next.method} ${next.path}, came on a new connection.`)
          : waiting('The connection is closed. Does the next request arrive?'),
    ),
  },
  {
    id: 'sunset',
    title: 'Sunset date',
    animal: 'parrot',
    story:
      'GET /v1/pets/{petId} is deprecated. The service acts as if today were its sunset date, and responds with 410.',
    advice: [
      'Logs the Deprecation and Sunset headers while the operation still works.',
      'Does not repeat a 410: it is permanent.',
      'Uses GET /v1/pets or GET /v2/pets/{petId} instead.',
    ],
    call: ['GET', '/v1/pets/1'],
    faults: [{ operation: 'v1.getPet', fault: 'status', parameters: { code: 410 }, times: null }],
    judge: judgeAfter(
      ({ status }) => status === 410,
      'Read one pet with your client.',
      (_, later) => {
        const again = later.find(({ status }) => status === 410);
        if (again) return failed('The removed operation was called again.');
        const other = later.find((one) => isOk(one) && /\/pets/.test(one.path));
        return other
          ? passed(`Read from ${other.method} ${other.path} instead.`)
          : waiting('The operation is gone. Where does your client read pets now?');
      },
    ),
  },
  {
    id: 'int64',
    title: '64-bit IDs',
    animal: 'gecko',
    story: 'The store gets IDs up to 2⁶³ − 1. Adjacent large IDs round to the same double.',
    advice: [
      'Reads IDs as 64-bit integers, BigInt or strings, never as doubles.',
      'Cancels 9007199254740993, not its neighbor 9007199254740992.',
    ],
    call: ['DELETE', '/v1/store/orders/9007199254740993'],
    reset: { dataSet: 'int64', seed: 1 },
    judge: (requests) => {
      const ids = requests.flatMap((request) => {
        const id = /\/(?:orders|pets)\/(\d+)/.exec(request.path)?.[1];
        return id !== undefined && BigInt(id) > 2n ** 53n ? [{ id, request }] : [];
      });
      const rounded = ids.find(({ request }) => request.status === 404);
      if (rounded) return failed(`No order or pet has the ID ${rounded.id}: your client rounded it.`);
      const exact = ids.find(
        ({ request: { status } }) => status !== null && (status < 300 || status === 409),
      );
      return exact
        ? passed(`${exact.id} arrived exactly.`)
        : waiting('With your client, read or cancel an order that has a large ID.');
    },
  },
  {
    id: 'million',
    title: 'A million orders',
    animal: 'dog',
    story: 'The store gets 1,000,000 orders. Version 1 lists all of them in one response of about 100 MB.',
    advice: [
      'Reads the list as a stream, or pages through GET /v2/store/orders.',
      'Sends If-None-Match, so that an unchanged list is not sent again.',
      'Has a timeout for the time between bytes, not for the whole list.',
    ],
    call: ['GET', '/v1/store/orders'],
    reset: { dataSet: 'large', orders: 1_000_000, seed: 1 },
    judge: (requests) => {
      const lists = requests.filter((one) => one.operation === 'listOrders' && isOk(one));
      const [first] = lists;
      return first
        ? passed(`${plural(lists.length, 'list request')}, the first in ${seconds(first.durationMs)}.`)
        : waiting('List the orders with your client.');
    },
  },
];
