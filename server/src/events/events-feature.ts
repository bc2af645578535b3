import { nextLinkHeader } from '../http/pages/paging.ts';
import { eventSchemas } from './event-schemas.ts';
import { listEvents } from './list-events.http.ts';
import { streamEvents } from './stream-events.http.ts';

export const eventsFeature = {
  tag: 'events',
  stability: 'experimental',
  operations: [listEvents, streamEvents],
  schemas: eventSchemas,
  headers: {
    EventsLink: nextLinkHeader('/v2/store/events', '</v2/store/events?limit=1&after=17>; rel="next"'),
  },
};
