import { parseInt64 } from '../http/content/int64.ts';
import type { Field } from '../http/fields/field.ts';
import { answer, errorAnswer } from '../http/openapi/document-parts.ts';
import { headerRef } from '../http/openapi/openapi.ts';
import { operation, type Services } from '../http/openapi/operation.ts';
import { slicesOf } from '../http/pages/page-answer.ts';
import { DEFAULT_LIMIT, limit } from '../http/pages/paging.ts';
import { type EventRow, readEvents, writeEvent } from './event.ts';
import { eventPage } from './event-schemas.ts';

export const after: Field<bigint> = {
  description:
    'Only what happened after this event. 0 is the beginning of the log. Without it a page begins there too, and a stream with what happens from now on.',
  schema: { type: 'string', minLength: 1, maxLength: 19, pattern: '^(0|[1-9][0-9]*)$' },
  example: '0',
  read(text) {
    const value = typeof text === 'string' ? parseInt64(text) : undefined;
    return value !== undefined && value >= 0n ? value : undefined;
  },
  expected: 'the id of an event, or 0',
};

export const eventRefusals = {
  400: errorAnswer('A parameter is unknown or malformed.', ['invalid_parameter']),
  410: errorAnswer('Events that are no longer kept. The message names the oldest that is.', [
    'events_expired',
  ]),
};

const EVENTS_OF_A_TURN = 400n;

export const listEvents = operation({
  operationId: 'listEvents',
  at: 'GET /store/events',
  summary: 'Read what happened, by page',
  description: [
    'Every change to the store is one event, exactly once, in the order of their ids, which are revisions of the store: ids grow, and may leave out numbers. An event read again later is the same, byte for byte, whatever has become of the order since.',
    'Go on with `after` set to `nextCursor`, which is null on the last page, or to the id of the last event that you have.',
    'The log of a store begins with its first change: what a store was opened with is not told of. After a reset, `store.reset` is the first event, and what was before is gone.',
    'Events are kept for 30 days, and the newest 1,000,000 of a store. `after` from before the oldest is 410 `events_expired`, whose message names the oldest that is kept; `after=0` begins with it.',
  ].join('\n\n'),
  query: { after, limit },
  answers: {
    200: answer('One page of events.', 'EventPage', eventPage, { Link: headerRef('EventsLink') }),
    ...eventRefusals,
  },
  handle({ request, storeId, query }, { db, answerPage }: Services) {
    const { after: first = 0n, limit = BigInt(DEFAULT_LIMIT) } = query;
    return answerPage(request, {
      ...slicesOf(limit, EVENTS_OF_A_TURN, (last: EventRow | undefined, most) =>
        readEvents(db, { storeId, after: last?.revision ?? first, limit: most }),
      ),
      write: writeEvent,
      cursorAfter: ({ revision }) => String(revision),
      parameter: 'after',
    });
  },
});
