import { editJson, rejectWith } from '../../../src/bugs/mutations.ts';
import { editQuery } from '../../../src/bugs/v2-pages.ts';
import { becomes, inStatus, type Mutant, whenever, without } from './changes.ts';
import { inPage, type Json } from './json-changes.ts';

type Week = { week: string };
type Summary = { weeks: Week[]; stock: Json[]; revision: unknown };

const dayBefore = (day: string) => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);

/** Pets, the summary, events, keys and origins. */
export const otherMutants: readonly Mutant[] = [
  {
    name: '`category` is ignored',
    noticedBy: 'v2.pets',
    operation: 'v2.listPets',
    ...editQuery((query) => query.delete('category')),
  },
  {
    name: 'a new pet has no `Location`',
    noticedBy: 'v2.pets',
    operation: 'v2.createPet',
    response: without('location'),
  },
  {
    name: 'a changed pet stays the same',
    noticedBy: 'v2.pets',
    operation: 'v2.changePet',
    async intercept({ path }, callService) {
      const response = await callService(`GET ${path}`);
      return response.status === 200 ? response : undefined;
    },
  },
  {
    name: 'a pet of version 2 is deprecated',
    noticedBy: 'v2.pets',
    operation: 'v2.getPet',
    response: inStatus(200, ({ headers }) => {
      headers.deprecation = '@1794700800';
    }),
  },
  {
    name: 'weeks begin on a Sunday',
    noticedBy: 'v2.summary',
    operation: 'v2.getSummary',
    ...editJson<Summary>(200, ({ weeks }) => {
      for (const each of weeks) each.week = dayBefore(each.week);
    }),
  },
  {
    name: 'the summary leaves out what is sold',
    noticedBy: 'v2.summary',
    operation: 'v2.getSummary',
    ...editJson<Summary>(200, (summary) => ({
      ...summary,
      stock: summary.stock.filter(({ stock }) => stock !== 0),
    })),
  },
  {
    name: 'the revision of the summary stands still',
    noticedBy: 'v2.summary',
    operation: 'v2.getSummary',
    ...editJson<Summary>(200, (summary) => Object.assign(summary, { revision: 1 })),
  },

  {
    name: 'ids of events are numbers',
    noticedBy: 'v2.events',
    operation: 'v2.listEvents',
    ...inPage((events) => events.map((event) => ({ ...event, id: Number(event.id) }))),
  },
  {
    name: 'events begin with the newest',
    noticedBy: 'v2.events',
    operation: 'v2.listEvents',
    ...inPage((events) => events.toReversed()),
  },
  {
    name: 'a page of events obeys `Accept`',
    noticedBy: 'v2.events',
    operation: 'v2.listEvents',
    response: ({ headers }, forwarded) => {
      if (forwarded.headers.accept?.includes('event-stream')) headers['content-type'] = 'text/event-stream';
    },
  },
  {
    name: 'the stream sends everything twice',
    noticedBy: 'v2.stream',
    operation: 'v2.streamEvents',
    event: (text) => `${text}\n\n${text}`,
  },
  {
    name: 'the stream does not tell types',
    noticedBy: 'v2.stream',
    operation: 'v2.streamEvents',
    event: (text) => text.replace(/^event: .*\n/m, ''),
  },
  {
    name: 'the stream obeys `Accept`',
    noticedBy: 'v2.stream',
    operation: 'v2.streamEvents',
    head: ({ headers }, forwarded) => {
      if (forwarded.headers.accept === 'application/json') headers['content-type'] = 'application/json';
    },
  },

  {
    name: 'the summary needs no key',
    noticedBy: 'v2.keys',
    operation: 'v2.getSummary',
    response: inStatus(401, becomes(404)),
  },
  {
    name: 'an unknown path of version 2 is 405',
    noticedBy: 'v2.keys',
    response: (response, { path }) => {
      if (path === '/v2/nothing' && response.status === 404) rejectWith(response, 405, 'method_not_allowed');
    },
  },
  {
    name: 'a preflight of version 2 knows no `Idempotency-Key`',
    noticedBy: 'v2.keys',
    response: whenever(
      ({ headers }) => 'access-control-allow-headers' in headers,
      ({ headers }) => {
        headers['access-control-allow-headers'] = 'Authorization, Content-Type';
      },
    ),
  },
  {
    name: 'other origins do not see `Location`',
    noticedBy: 'v2.keys',
    response: whenever(
      ({ headers }) => 'access-control-expose-headers' in headers,
      ({ headers }) => {
        headers['access-control-expose-headers'] = 'ETag, Link';
      },
    ),
  },
  {
    name: 'the document of version 2 says that all is stable',
    noticedBy: 'v2.keys',
    response: (response, { path }) => {
      if (path === '/v2/openapi.json')
        response.body = response.body.replace(/"x-stability": ?"\w+"/g, '"x-a":1');
    },
  },
  {
    name: 'the document of version 2 lacks an operation',
    noticedBy: 'v2.keys',
    response: (response, { path }) => {
      if (path === '/v2/openapi.json')
        response.body = response.body.replace('"/store/summary"', '"/store/sums"');
    },
  },
  {
    name: 'a read-only key gets 404',
    noticedBy: 'v2.read-key',
    response: inStatus(403, becomes(404)),
  },
  {
    name: 'a key that only reads reads no events',
    noticedBy: 'v2.read-key',
    operation: 'v2.listEvents',
    response: inStatus(200, becomes(403)),
  },
];
