import type { ForwardedRequest } from '../../../src/bugs/bug.ts';
import { becomes, drops, inStatus, inText, isOrders, type Mutant, sets, whenever } from './changes.ts';

const isPage = ({ path }: ForwardedRequest) => /^\/v2\/(store\/orders|pets|store\/events)(\?|$)/.test(path);
const queryDigits = (path: string) => {
  const [before = '', query] = path.split('?');
  return query === undefined ? path : `${before}?${encodeURI(decodeURIComponent(query).normalize('NFKC'))}`;
};
/** The edges of version 2, and what the statements of the specification need. */
export const ofEdges: readonly Mutant[] = [
  {
    name: 'a page by date begins one order too late',
    noticedBy: 'v2.edges.ties',
    response: (response, { path }) => {
      if (/sort=-?shipDate.*limit=3.*cursor=/.test(path))
        response.body = response.body.replace(/^\{"data":\[\{[^}]*\},?/, '{"data":[');
    },
  },
  {
    name: 'a full last page has a cursor',
    noticedBy: 'v2.edges.full-last-page',
    response: (response, forwarded) => {
      if (isPage(forwarded) && forwarded.path.includes('limit=7'))
        response.body = response.body.replace('"nextCursor":null', '"nextCursor":"x"');
    },
  },
  {
    name: 'a full last page has a Link',
    noticedBy: 'v2.edges.full-last-page',
    response: (response, forwarded) => {
      if (isPage(forwarded) && forwarded.path.includes('limit=7'))
        response.headers.link ??= '</v2/pets>; rel="next"';
    },
  },
  {
    name: 'Location is on another host',
    noticedBy: 'v2.edges.addresses',
    response: inStatus(201, ({ headers }) => {
      headers.location = `http://localhost:1${headers.location}`;
    }),
  },
  {
    name: 'Link is on another host',
    noticedBy: 'v2.edges.addresses',
    response: whenever(
      ({ headers }) => 'link' in headers,
      ({ headers }) => {
        headers.link = headers.link?.replace('<', '<http://localhost:1') ?? '';
      },
    ),
  },
  ...[409, 422].map((status) => ({
    name: `a replayed ${status} does not say so`,
    noticedBy: 'v2.edges.replayed-rejection',
    response: drops(status, 'idempotent-replayed'),
  })),
  {
    name: 'names of pets are composed',
    noticedBy: 'v2.edges.unicode',
    response: inText(/\/pets/, (text) => text.normalize('NFC')),
  },
  {
    name: 'names of new pets are composed',
    noticedBy: 'v2.edges.unicode',
    request: (forwarded) => {
      if (forwarded.method === 'POST' && forwarded.path === '/v2/pets')
        forwarded.body = forwarded.body.normalize('NFKC');
    },
  },
  {
    name: 'a category is found by what looks like it',
    noticedBy: 'v2.edges.unicode',
    request: (forwarded) => {
      if (forwarded.path.includes('category=')) forwarded.path = queryDigits(forwarded.path);
    },
  },
  {
    name: 'full-width digits are digits',
    noticedBy: 'v2.edges.digits',
    request: (forwarded) => {
      if (forwarded.path.includes('limit=%')) forwarded.path = queryDigits(forwarded.path);
    },
  },
  {
    name: 'a date is in capitals',
    noticedBy: 'v2.edges.lower-case-dates',
    response: (response, { path, method, body }) => {
      if (/\dt\d/.test(method === 'POST' ? body : path)) becomes(400)(response);
    },
    request: () => {},
  },
  {
    name: 'a stream begins with the last event',
    noticedBy: 'v2.edges.resume-at-head',
    request: ({ path, headers }) => {
      const id = headers['last-event-id'];
      if (path.endsWith('/stream') && id && id !== '0') headers['last-event-id'] = String(BigInt(id) - 1n);
    },
  },
  {
    name: '204 of v2 announces a body',
    noticedBy: 'v2.edges.no-body',
    response: inStatus(204, sets('content-type', 'application/json')),
  },
  {
    name: 'the first of two keys counts',
    noticedBy: 'v2.edges.two-authorizations',
    request: ({ headers }) => {
      headers.authorization = headers.authorization?.split(', ')[0] ?? '';
    },
  },
  {
    name: 'a list ends after 1,000 orders',
    noticedBy: 'v2.sandbox.all-of-them',
    response: whenever(
      (_, forwarded) => isOrders(forwarded),
      (response) => {
        response.body = `${response.body
          .split(/(?<=\}),/)
          .slice(0, 1000)
          .join()
          .replace(/\]$/, '')}]`;
      },
    ),
  },
  {
    name: 'the key of a new account opens nothing',
    noticedBy: 'all.accounts.signing-up',
    response: (response, { path }) => {
      if (path.endsWith('/console/api/keys'))
        response.body = response.body.replace(/"key":"[^"]*"/, '"key":"none"');
    },
  },

  {
    name: 'the document does not say what it is for',
    noticedBy: 'v1.service.demonstration',
    response: inText(/^\/v1\/openapi/, (text) => text.replaceAll(/demonstration/gi, 'production')),
  },
  {
    name: 'llms.txt does not say what it is for',
    noticedBy: 'all.pages.demonstration',
    response: inText(/^\/llms\.txt/, (text) => text.replaceAll(/demonstration/gi, 'production')),
  },
  {
    name: 'staging is production',
    noticedBy: 'v1.service.other-s-key',
    request: ({ headers }) => {
      if (headers.authorization?.includes('pst_')) headers.authorization = headers.authorization.trim();
    },
    response: (response, { path }) => {
      if (response.status === 401 && path === '/v1/pets')
        Object.assign(response, { status: 200, body: '[]' });
    },
  },
  {
    name: 'the document requires a field',
    noticedBy: 'v1.document.order',
    response: inText(/^\/v1\/openapi\.json/, (text) =>
      text.replace(/"Order": ?\{/, (found) => `${found}"required":["id"],`),
    ),
  },
  {
    name: 'an order shows its status',
    noticedBy: 'v1.order.no-status',
    response: whenever(
      (_, forwarded) => isOrders(forwarded),
      (response) => {
        response.body = response.body.replaceAll('"complete":', '"status":"pending","complete":');
      },
    ),
  },
  {
    name: 'all orders can be deleted at once',
    noticedBy: 'v1.cancel.whole-collection',
    response: (response, { method, path }) => {
      if (method === 'DELETE' && path === '/v1/store/orders')
        Object.assign(response, { status: 204, body: '' });
    },
  },
  {
    name: 'a new store has a key of another form',
    noticedBy: 'v2.stores.create',
    response: inText(/\/sandbox\/stores$/, (text) => text.replace(/"key":"pst_test_/, '"key":"')),
  },
  {
    name: '401 does not show how to send a key',
    noticedBy: 'v1.authentication.placeholder',
    response: inStatus(401, (response) => {
      response.body = response.body.replace('<API_KEY>', 'KEY');
    }),
  },
  {
    name: 'an order endpoint is beta',
    noticedBy: 'v1.versioning.stability',
    response: inText(/^\/v1\/openapi\.json/, (text) =>
      text
        .replaceAll(/"x-stability": ?"stable"/g, '"x-stability":"beta"')
        .replace(/"operationId": ?"listOrders"/, (found) => `${found},"x-stability":"beta"`),
    ),
  },
];
