import { Readable } from 'node:stream';
import type { V2Options } from '../api/v2-handling.ts';
import { DEFAULT_LIMIT } from '../api/v2-list-parameters.ts';
import { writeEvent } from '../api/v2-write.ts';
import { parseInt64 } from '../http/content/int64.ts';
import { invalid, readQuery } from '../http/content/parameters.ts';
import { ApiError } from '../http/errors.ts';
import { callerOf } from '../http/guards/authenticate.ts';
import { type AnswerPage, slicesOf } from '../http/pages/page-answer.ts';
import type { Handler } from '../http/server/answer.ts';
import type { Request } from '../http/server/request.ts';
import { callerById } from '../keys/find-caller.ts';
import { eventParameters, streamParameters } from './event-parameters.ts';
import { EventStream } from './event-stream.ts';
import { type EventRow, EventsExpired, readEvents } from './read-events.ts';

/** The same events as a page and as a stream. */
export function eventHandlers(
  { db, clock, hub, streams: limits, onStop }: V2Options,
  answerPage: AnswerPage,
) {
  const open = new Set<EventStream>();
  const openOf = new Map<bigint, number>();
  onStop(() => {
    hub.close();
    for (const stream of open) stream.end();
  });

  const listEvents: Handler = async (request) => {
    const { after = 0n, limit = BigInt(DEFAULT_LIMIT) } = readQuery(eventParameters, request.query);
    const { storeId } = callerOf(request);
    return answerPage(request, {
      ...slicesOf(limit, 400n, (last: EventRow | undefined, most) =>
        readEvents(db, { storeId, after: last?.revision ?? after, limit: most }).catch(refuseExpired),
      ),
      write: writeEvent,
      cursorAfter: ({ revision }) => String(revision),
      parameter: 'after',
    });
  };

  const streamEvents: Handler = async (request) => {
    const after = lastEventId(request) ?? readQuery(streamParameters, request.query).after;
    const caller = callerOf(request);
    const { storeId, tenantId, keyId } = caller;
    if (after !== undefined) await readEvents(db, { storeId, after, limit: 1n }).catch(refuseExpired);
    const count = openOf.get(tenantId) ?? 0;
    if (count >= limits.mostOfStore) throw tooMany(limits.mostOfStore);
    if (open.size >= limits.most) throw new ApiError('unavailable', undefined, ['retry-after', '10']);
    neverKept(request);
    if (request.method === 'HEAD') return { status: 200, headers: streamHeaders, body: Readable.from([]) };

    const body = new EventStream({
      hub,
      socket: request.raw.socket,
      caller,
      after,
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

  return { listEvents, streamEvents };
}

/** Tells proxies to pass on what comes as it comes. */
const streamHeaders = ['content-type', 'text/event-stream', 'x-accel-buffering', 'no'];

function lastEventId({ headers }: Request): bigint | undefined {
  const text = headers['last-event-id'];
  if (text === undefined || text === '') return undefined;
  const id = parseInt64(String(text));
  if (id === undefined || id < 0n) throw invalid('Last-Event-ID', 'must be the id of an event');
  return id;
}

function refuseExpired(error: unknown): never {
  if (!(error instanceof EventsExpired)) throw error;
  const kept = error.oldest === undefined ? 'None is kept' : `The oldest that is kept is ${error.oldest}`;
  throw new ApiError(
    'events_expired',
    `Events after that one are no longer kept. ${kept}: begin with after=0.`,
  );
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
