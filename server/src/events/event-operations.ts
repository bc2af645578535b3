import { eventPage, inspectedRequest, serverSentEvent } from '../api/v2-examples.ts';
import { paging } from '../api/v2-list-parameters.ts';
import { documentParameters } from '../http/content/parameters.ts';
import { anyOperationAnswers } from '../http/openapi/answers.ts';
import { answer, errorAnswer, experimental, invalidQuery } from '../http/openapi/document-parts.ts';
import { everyAnswer } from '../http/openapi/headers.ts';
import { headerRef, schemaRef } from '../http/openapi/openapi.ts';
import { eventParameters, streamParameters } from './event-parameters.ts';

const tags = ['events'];

const expired = {
  410: errorAnswer('Events that are no longer kept. The message names the oldest that is.', [
    'events_expired',
  ]),
};

const lastEventId = {
  name: 'Last-Event-ID',
  in: 'header',
  description: 'The id of the last event that was seen, to resume a stream after it. Wins over `after`.',
  schema: { type: 'string', pattern: '^(0|[1-9][0-9]*)?$', maxLength: 19 },
  example: '0',
};

/** The event operations, as the document has them. */
export const eventPaths = {
  '/store/events': {
    get: {
      operationId: 'listEvents',
      ...experimental,
      tags,
      summary: 'Read what happened, by page',
      description: [
        'Every change to the store is one event, exactly once, in the order of their ids, which are revisions of the store: ids grow, and may leave out numbers. An event read again later is the same, byte for byte, whatever has become of the order since.',
        'Go on with `after` set to `nextCursor`, which is null on the last page, or to the id of the last event that you have.',
        'The log of a store begins with its first change: what a store was opened with is not told of. After a reset, `store.reset` is the first event, and what was before is gone.',
        'Events are kept for 30 days, and the newest 1,000,000 of a store. `after` from before the oldest is 410 `events_expired`, whose message names the oldest that is kept; `after=0` begins with it.',
      ].join('\n\n'),
      parameters: documentParameters(eventParameters),
      responses: {
        200: answer('One page of events.', 'EventPage', eventPage, {
          ...everyAnswer,
          Link: headerRef('EventsLink'),
        }),
        ...anyOperationAnswers,
        400: errorAnswer('A parameter is unknown or malformed.', ['invalid_parameter']),
        ...expired,
      },
    },
  },
  '/store/events/stream': {
    get: {
      operationId: 'streamEvents',
      ...experimental,
      tags,
      summary: 'Read what happens, as it happens',
      description: [
        'Server-sent events: the answer stays open, and has a comment at least every 15 seconds. `id` is the id of the event, `event` its type and `data` the event as one line of JSON, the same as in a page.',
        'A client that reconnects with `Last-Event-ID`, to any replica, misses nothing and gets nothing twice. Without it and without `after`, the stream begins with what happens from now on.',
      ].join('\n\n'),
      parameters: [...documentParameters(streamParameters), lastEventId],
      responses: {
        200: {
          description: 'The stream.',
          headers: everyAnswer,
          content: {
            'text/event-stream': { schema: schemaRef('ServerSentEvent'), example: serverSentEvent },
          },
        },
        ...anyOperationAnswers,
        400: errorAnswer('A parameter is unknown or malformed.', ['invalid_parameter']),
        ...expired,
      },
    },
  },
  '/store/requests': {
    get: {
      operationId: 'listRequests',
      ...experimental,
      tags: ['inspector'],
      summary: 'Read the last requests to the store, by page',
      description:
        'The last 200 requests of the last 24 hours that came with a key of the store, also a revoked or expired one (of those 50 at the most), newest first, some seconds after they were answered. Reading them is not among them, and neither is what the console asks for. Keys, cookies and the `Authorization` header are never kept. Of v2, the first 4 KB of both bodies are.',
      parameters: documentParameters(paging),
      responses: {
        200: answer(
          'One page, and the cursor of the next.',
          'RequestPage',
          { data: [inspectedRequest], nextCursor: null },
          { ...everyAnswer, Link: headerRef('RequestsLink') },
        ),
        ...anyOperationAnswers,
        400: invalidQuery,
      },
    },
  },
} as const;
