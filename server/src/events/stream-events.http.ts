import { Readable } from 'node:stream';
import type { Database } from '../database/engine.ts';
import { parseInt64 } from '../http/content/int64.ts';
import { ApiError } from '../http/errors.ts';
import { invalidParameter } from '../http/fields/query.ts';
import { errorAnswer } from '../http/openapi/document-parts.ts';
import { everyAnswer } from '../http/openapi/headers.ts';
import { schemaRef } from '../http/openapi/openapi.ts';
import { operation } from '../http/openapi/operation.ts';
import type { Request } from '../http/server/request.ts';
import { callerById } from '../keys/find-caller.ts';
import { after } from './after-parameter.ts';
import { serverSentEvent } from './event-examples.ts';
import type { EventHub } from './event-hub.ts';
import { EventStream } from './event-stream.ts';
import { expiredAnswer, refuseExpired } from './expired.ts';
import { readEvents } from './read-events.ts';

/** What may be set of streams of events. */
export interface StreamLimits {
  /** Between two signs of life, in milliseconds. */
  readonly heartbeat: number;
  /** Streams that may be open at once: of one store, and in all. */
  readonly mostOfStore: number;
  readonly most: number;
  /** How often it is asked how far stores have come, for commits that nobody told of, in milliseconds. */
  readonly poll: number;
}

export const usualStreams: StreamLimits = { heartbeat: 10_000, mostOfStore: 100, most: 10_000, poll: 1_000 };

interface Services {
  readonly db: Database;
  /** The time on the clock, whatever moment a request prefers. */
  readonly clock: () => number;
  readonly hub: EventHub;
  readonly streams: StreamLimits;
  /** Calls this when the service is about to stop. */
  readonly onStop: (stop: () => void) => void;
}

const lastEventId = {
  name: 'Last-Event-ID',
  in: 'header',
  description: 'The id of the last event that was seen, to resume a stream after it. Wins over `after`.',
  schema: { type: 'string', pattern: '^(0|[1-9][0-9]*)?$', maxLength: 19 },
  example: '0',
};

export const streamEvents = operation({
  operationId: 'streamEvents',
  at: 'GET /store/events/stream',
  stability: 'experimental',
  tag: 'events',
  summary: 'Read what happens, as it happens',
  description: [
    'Server-sent events: the answer stays open, and has a comment at least every 15 seconds. `id` is the id of the event, `event` its type and `data` the event as one line of JSON, the same as in a page.',
    'A client that reconnects with `Last-Event-ID`, to any replica, misses nothing and gets nothing twice. Without it and without `after`, the stream begins with what happens from now on.',
  ].join('\n\n'),
  headers: [lastEventId],
  query: { after },
  answers: {
    200: {
      description: 'The stream.',
      headers: everyAnswer,
      content: { 'text/event-stream': { schema: schemaRef('ServerSentEvent'), example: serverSentEvent } },
    },
    400: errorAnswer('A parameter is unknown or malformed.', ['invalid_parameter']),
    ...expiredAnswer,
  },
  handle: ({ db, clock, hub, streams: limits, onStop }: Services) => {
    const open = new Set<EventStream>();
    const openOf = new Map<bigint, number>();
    onStop(() => {
      hub.close();
      for (const stream of open) stream.end();
    });
    return async ({ request, caller, query }) => {
      const { storeId, tenantId, keyId } = caller;
      const first = lastEventIdOf(request) ?? query.after;
      if (first !== undefined)
        await readEvents(db, { storeId, after: first, limit: 1n }).catch(refuseExpired);
      const count = openOf.get(tenantId) ?? 0;
      if (count >= limits.mostOfStore) throw tooMany(limits.mostOfStore);
      if (open.size >= limits.most) throw new ApiError('unavailable', undefined, ['retry-after', '10']);
      neverKept(request);
      if (request.method === 'HEAD') return { status: 200, headers: streamHeaders, body: Readable.from([]) };

      const body = new EventStream({
        hub,
        socket: request.raw.socket,
        caller,
        after: first,
        heartbeat: limits.heartbeat,
        findAgain: async () => (await db.all(callerById, { keyId, now: BigInt(clock()) }))[0],
      });
      open.add(body);
      openOf.set(tenantId, count + 1);
      body.once('close', () => {
        open.delete(body);
        const left = (openOf.get(tenantId) ?? 1) - 1;
        if (left > 0) openOf.set(tenantId, left);
        else openOf.delete(tenantId);
      });
      return { status: 200, headers: streamHeaders, body };
    };
  },
});

/** Tells proxies to pass on what comes as it comes. */
const streamHeaders = ['content-type', 'text/event-stream', 'x-accel-buffering', 'no'];

function lastEventIdOf({ headers }: Request): bigint | undefined {
  const text = headers['last-event-id'];
  if (text === undefined || text === '') return undefined;
  const id = parseInt64(String(text));
  if (id === undefined || id < 0n) throw invalidParameter('Last-Event-ID', 'must be the id of an event');
  return id;
}

function tooMany(most: number): ApiError {
  const message = `This store has ${most} streams open already; close one first.`;
  return new ApiError('rate_limited', message, ['retry-after', '10']);
}

/** Whatever stands in between keeps nothing of a stream, not even to ask before use. */
function neverKept(request: Request): void {
  const { answerHeaders } = request;
  answerHeaders[answerHeaders.indexOf('cache-control') + 1] = 'no-store';
}
