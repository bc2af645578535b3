import { Readable } from 'node:stream';
import { ApiError } from '../http/errors.ts';
import { invalidParameter } from '../http/fields/parameters.ts';
import { everyAnswer } from '../http/openapi/answers.ts';
import { schemaRef } from '../http/openapi/openapi.ts';
import { operation } from '../http/openapi/operation.ts';
import type { Request } from '../http/server/request.ts';
import { readEvents } from './event.ts';
import { serverSentEvent } from './event-schemas.ts';
import { eventStream, type StreamServices } from './event-stream.ts';
import { after, eventRefusals } from './list-events.http.ts';

const MOST_STREAMS = 10_000;

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
    ...eventRefusals,
  },
  async handle({ request, caller, query }, services: StreamServices) {
    const { db, hub, streams } = services;
    const { storeId, tenantId } = caller;
    const first = lastEventIdOf(request) ?? query.after;
    // Refused before the stream begins, if that is no longer kept.
    if (first !== undefined) await readEvents(db, { storeId, after: first, limit: 1n });
    const own = [...hub.streams.values()].filter((stream) => stream.tenantId === tenantId);
    if (own.length >= streams.mostOfStore) {
      const message = `This store has ${own.length} streams open already; close one first.`;
      throw new ApiError('rate_limited', message, ['retry-after', '10']);
    }
    if (hub.streams.size >= MOST_STREAMS) throw new ApiError('unavailable', undefined, ['retry-after', '10']);
    forbidCaching(request);
    if (request.method === 'HEAD') return { status: 200, headers: streamHeaders, body: Readable.from([]) };

    const end = new AbortController();
    const body = eventStream(services, caller, first, end);
    hub.streams.set(body, { tenantId, end });
    body.once('close', () => hub.streams.delete(body));
    return { status: 200, headers: streamHeaders, body };
  },
});

const streamHeaders = ['content-type', 'text/event-stream', 'x-accel-buffering', 'no'];

function lastEventIdOf({ headers }: Request): bigint | undefined {
  const text = headers['last-event-id'];
  if (text === undefined || text === '') return undefined;
  const id = after.read(text);
  if (id === undefined) throw invalidParameter('Last-Event-ID', 'must be the id of an event');
  return id;
}

function forbidCaching(request: Request): void {
  const { answerHeaders } = request;
  answerHeaders[answerHeaders.indexOf('cache-control') + 1] = 'no-store';
}
