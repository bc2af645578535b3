import { Readable } from 'node:stream';
import { parseInt64 } from '../http/encoding/int64.ts';
import { ApiError } from '../http/errors.ts';
import type { Field } from '../http/fields/field.ts';
import { invalidParameter } from '../http/fields/parameters.ts';
import { headerRef, schemaRef } from '../http/openapi/openapi.ts';
import { errorResponse, response, standardHeaders } from '../http/openapi/responses.ts';
import { operation, type Services } from '../http/operations/operation.ts';
import { readInSlices } from '../http/pages/page-response.ts';
import { DEFAULT_LIMIT, limit, nextLinkHeader } from '../http/pages/paging.ts';
import type { Request } from '../http/server/request.ts';
import { type EventRow, readEvents, writeEvent } from './event.ts';
import { eventPage, eventSchemas, serverSentEvent } from './event-schemas.ts';
import { eventStream, type StreamServices } from './event-stream.ts';

const after: Field<bigint> = {
  description:
    'Only events after this event id. 0 is the beginning of the log. By default a list starts at the beginning, and a stream with the next event.',
  schema: { type: 'string', minLength: 1, maxLength: 19, pattern: '^(0|[1-9][0-9]*)$' },
  example: '0',
  read(text) {
    const value = typeof text === 'string' ? parseInt64(text) : undefined;
    return value !== undefined && value >= 0n ? value : undefined;
  },
  expected: 'the id of an event, or 0',
};

const eventErrors = {
  400: errorResponse('A parameter is unknown or malformed.', ['invalid_parameter']),
  410: errorResponse('The events are no longer stored. The message names the oldest stored event.', [
    'events_expired',
  ]),
};

const EVENTS_PER_TICK = 400n;

const listEvents = operation({
  operationId: 'listEvents',
  at: 'GET /store/events',
  summary: 'List events',
  description: [
    'Each change to the store creates exactly one event. Events are listed in ascending order of id. The id is the revision of the store after the change, so ids increase and may have gaps. An event never changes: reading it again returns the same bytes.',
    'To continue, set `after` to `nextCursor` (null on the last page) or to the id of the last event you have.',
    'The log starts with the first change to the store; its initial contents have no events. A reset clears the log and starts a new one with `store.reset`.',
    'Events are stored for 30 days, up to the newest 1,000,000 per store. If `after` is older than the oldest stored event, the response is 410 `events_expired`, and its message names the oldest; `after=0` starts from it.',
  ].join('\n\n'),
  query: { after, limit },
  responses: {
    200: response('A page of events.', 'EventPage', eventPage, { Link: headerRef('EventsLink') }),
    ...eventErrors,
  },
  handle({ request, storeId, query }, { db, respondWithPage }: Services) {
    const { after: first = 0n, limit = BigInt(DEFAULT_LIMIT) } = query;
    return respondWithPage(request, {
      ...readInSlices(limit, EVENTS_PER_TICK, (last: EventRow | undefined, size) =>
        readEvents(db, { storeId, after: last?.revision ?? first, limit: size }),
      ),
      write: writeEvent,
      cursorAfter: ({ revision }) => String(revision),
      cursorParameter: 'after',
    });
  },
});

const MAX_STREAMS = 10_000;

const lastEventId = {
  name: 'Last-Event-ID',
  in: 'header',
  description: 'The id of the last event received, to resume the stream after it. Overrides `after`.',
  schema: { type: 'string', pattern: '^(0|[1-9][0-9]*)?$', maxLength: 19 },
  example: '0',
};

const streamEvents = operation({
  operationId: 'streamEvents',
  at: 'GET /store/events/stream',
  summary: 'Stream events',
  description: [
    'Server-sent events: the response stays open and sends a comment at least every 15 seconds. `id` is the id of the event, `event` its type, and `data` the event as one line of JSON, the same as in the list.',
    'A client that reconnects with `Last-Event-ID`, to any replica, neither misses nor repeats an event. Without `Last-Event-ID` and `after`, the stream starts with the next event.',
  ].join('\n\n'),
  headers: [lastEventId],
  query: { after },
  responses: {
    200: {
      description: 'The stream.',
      headers: standardHeaders,
      content: { 'text/event-stream': { schema: schemaRef('ServerSentEvent'), example: serverSentEvent } },
    },
    ...eventErrors,
  },
  async handle({ request, caller, query }, services: StreamServices) {
    const { db, hub, streams } = services;
    const { storeId, tenantId } = caller;
    const first = lastEventIdOf(request) ?? query.after;
    // Rejects before the stream starts if the events have expired.
    if (first !== undefined) await readEvents(db, { storeId, after: first, limit: 1n });
    const own = [...hub.streams.values()].filter((stream) => stream.tenantId === tenantId);
    if (own.length >= streams.maxPerTenant) {
      const message = `This store already has ${own.length} open streams; close one first.`;
      throw new ApiError('rate_limited', message, ['retry-after', '10']);
    }
    if (hub.streams.size >= MAX_STREAMS) throw new ApiError('unavailable', undefined, ['retry-after', '10']);
    forbidCaching(request);
    if (request.method === 'HEAD') return { status: 200, headers: streamHeaders, body: Readable.from([]) };

    const end = new AbortController();
    const body = eventStream(services, caller, first, end);
    hub.streams.set(body, { tenantId, end });
    body.once('close', () => hub.streams.delete(body));
    // During shutdown, the stream ends at once as a complete response.
    if (request.closesConnection) end.abort();
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
  // Headers are a flat list: each name is followed by its value.
  const { responseHeaders } = request;
  responseHeaders[responseHeaders.indexOf('cache-control') + 1] = 'no-store';
}

export const eventsFeature = {
  tag: 'events',
  stability: 'experimental',
  operations: [listEvents, streamEvents],
  schemas: eventSchemas,
  headers: {
    EventsLink: nextLinkHeader('/v2/store/events', '</v2/store/events?limit=1&after=17>; rel="next"'),
  },
};
