import type { ForwardedRequest, WireResponse } from '../../../src/bugs/bug.ts';
import { rejectWith } from '../../../src/bugs/mutations.ts';
import { inText, type Mutant } from './changes.ts';

const isStream = ({ method, path }: ForwardedRequest) =>
  method === 'GET' && path.startsWith('/v2/store/events/stream');
const isEventList = ({ method, path }: ForwardedRequest) =>
  method === 'GET' && /^\/v2\/store\/events(\?|$)/.test(path);
const isDeliveryList = ({ method, path }: ForwardedRequest) =>
  method === 'GET' && /\/deliveries(\?|$)/.test(path);
const errorOf = (status: number, code: string): WireResponse => ({
  status,
  headers: { 'content-type': 'application/json', 'x-request-id': 'a' },
  body: JSON.stringify({ code, message: 'Rejected.', status }),
});
const initialPet =
  '{"id":"1","type":"pet.created","at":"2026-12-01T09:30:00.000Z","data":{"id":1,"name":"Rex","category":"dog","status":"available","stock":24}}';
const seesBodies: Pick<Mutant, 'request'> = { request: () => {} };

/** Lists and streams of events, and what the tables check of webhooks, deliveries and errors. */
export const ofEvents: readonly Mutant[] = [
  {
    name: 'Last-Event-ID counts in the list, too',
    noticedBy: 'v2.stream.only-the-stream',
    request: (forwarded) => {
      const id = forwarded.headers['last-event-id'];
      if (id && isEventList(forwarded)) forwarded.path = forwarded.path.replace(/after=\w+/, `after=${id}`);
    },
  },
  {
    name: 'an empty Last-Event-ID is 400',
    noticedBy: 'v2.stream.empty-last-event-id',
    intercept: (forwarded) =>
      isStream(forwarded) && forwarded.headers['last-event-id'] === ''
        ? errorOf(400, 'invalid_parameter')
        : undefined,
  },
  {
    name: 'every stream begins with the revision',
    noticedBy: 'v2.stream.backlog-and-live',
    comment: (text) => (text.startsWith(': open') ? ': open\nid: 987654321' : text),
  },
  { name: 'a store may have 20 streams', noticedBy: 'v2.stream.limit', ...maxStreams(20) },
  {
    name: 'one stream too many is 503',
    noticedBy: 'v2.stream.limit',
    response: (response, forwarded) => {
      if (isStream(forwarded) && response.status === 429) rejectWith(response, 503, 'unavailable');
    },
  },
  {
    name: 'the stream has no comments',
    noticedBy: 'v2.stream.comments',
    comment: (text) => (/^:\s*$/.test(text) ? undefined : text),
  },
  {
    name: 'an error does not name Last-Event-ID',
    noticedBy: 'v2.stream.refused',
    response: inText(/stream/, (text) => text.replace('Last-Event-ID', 'the header')),
  },
  {
    name: '`after` may have zeros in front',
    noticedBy: 'v2.stream.refused',
    request: (forwarded) => {
      forwarded.path = forwarded.path.replace(/after=0+(\d)/, 'after=$1');
    },
  },
  {
    name: 'a missing resource has a pointer',
    noticedBy: 'all.operations.ids',
    response: (response, { path }) => {
      if (response.status === 404 && path.startsWith('/v2'))
        response.body = response.body.replace(/\}$/, ',"pointer":"/id"}');
    },
  },
  {
    name: 'an id that is no number has a message of its own',
    noticedBy: 'all.operations.ids',
    response: (response, { path }) => {
      if (response.status === 404 && !/\/[1-9]\d*(\/|\?|$)/.test(path))
        response.body = response.body.replace(/"message":"[^"]*"/, '"message":"The id is not a number."');
    },
  },
  {
    name: 'a delivery 01 is delivery 1',
    noticedBy: 'all.operations.ids',
    request: (forwarded) => {
      forwarded.path = forwarded.path.replace(/deliveries\/0+(\d)/, 'deliveries/$1');
    },
  },
  {
    name: 'a type of a webhook may be given twice',
    noticedBy: 'all.inputs.fields',
    request: (forwarded) => {
      if (/^\/v2\/webhooks/.test(forwarded.path))
        forwarded.body = forwarded.body.replace(/"types":\["([\w.]+)","\1"\]/, '"types":["$1"]');
    },
  },
  {
    name: 'an unknown type next to a known one is ignored',
    noticedBy: 'all.inputs.fields',
    request: (forwarded) => {
      forwarded.body = forwarded.body.replace(',"nonsense"]', ']');
    },
  },
  {
    name: 'a webhook takes no merge patch',
    noticedBy: 'all.inputs.also-as',
    response: (response, { path, headers }) => {
      if (path.startsWith('/v2/webhooks') && headers['content-type']?.includes('merge-patch'))
        Object.assign(response, errorOf(415, 'unsupported_media_type'));
    },
  },
  { name: 'a cursor of another webhook is taken', noticedBy: 'all.lists.foreign-cursors', ...takesCursors() },
  {
    name: 'the inspector shows secrets that a request contained',
    noticedBy: 'v2.inspector.looks-like-a-secret',
    ...showsSentSecrets(),
  },
  {
    name: 'the inspector hides that a key was sent',
    noticedBy: 'v2.inspector.looks-like-a-secret',
    response: inText(/^\/v2\/store\/requests/, (text) => text.replace(/"authorization":"[^"]*",?/g, '')),
  },
  {
    name: 'the initial pets of a store are events',
    noticedBy: 'v2.stores.events',
    response: (response, { path }) => {
      if (path === '/v2/store/events')
        response.body = response.body.replace('{"data":[],', `{"data":[${initialPet}],`);
    },
  },
  {
    name: 'a reset has counts in its event',
    noticedBy: 'v2.stores.reset-event',
    response: inText(/^\/v2\/store\/events/, (text) =>
      text.replace(/("type":"store.reset".*?"data":)\{\}/, '$1{"orders":40}'),
    ),
  },
  {
    name: 'events before a reset have expired',
    noticedBy: 'v2.stores.reset-event',
    response: (response, forwarded) => {
      if (isEventList(forwarded) && /after=[1-9]/.test(forwarded.path) && /"store.reset"/.test(response.body))
        Object.assign(response, errorOf(410, 'events_expired'));
    },
  },
];

/** Rejects all streams after the first ones. */
function maxStreams(max: number): Pick<Mutant, 'intercept'> {
  let count = 0;
  return {
    intercept: (forwarded) =>
      isStream(forwarded) && ++count > max ? errorOf(429, 'rate_limited') : undefined,
  };
}

/** The list of another webhook's deliveries begins with the newest. */
function takesCursors(): Pick<Mutant, 'request' | 'response'> {
  const lists = new Map<string, string>();
  const listOf = (path: string) => path.replace(/\?.*/, '');
  return {
    request: (forwarded) => {
      const [, cursor = ''] = /cursor=([^&]*)/.exec(forwarded.path) ?? [];
      const list = lists.get(cursor);
      if (isDeliveryList(forwarded) && list !== undefined && list !== listOf(forwarded.path))
        forwarded.path = forwarded.path.replace(/[?&]cursor=[^&]*/, '');
    },
    response: ({ body }, forwarded) => {
      const [, cursor] = /"nextCursor":"([^"]*)"/.exec(body) ?? [];
      if (cursor && isDeliveryList(forwarded)) lists.set(cursor, listOf(forwarded.path));
    },
  };
}

function showsSentSecrets(): Pick<Mutant, 'request' | 'response'> {
  let note: string | undefined;
  return {
    ...seesBodies,
    response: (response, { path, headers }) => {
      note = headers['x-note'] ?? note;
      if (path.startsWith('/v2/store/requests') && note)
        response.body = response.body.replace(/"x-note":"[^"]*"/, `"x-note":"${note}"`);
    },
  };
}
