import type { Asked, WireResponse } from '../../../src/bugs/bug.ts';
import { becomes, inPath, inStatus, isOrders, type Mutant, whenever } from './changes.ts';

const isOrder = ({ path }: Asked) => /^\/v2\/store\/orders\/\d+$/.test(path);
const isPage = ({ path }: Asked) => /^\/v2\/(store\/orders|pets|store\/events)(\?|$)/.test(path);
const drops = (status: number, name: string) =>
  inStatus(status, ({ headers }) => {
    delete headers[name];
  });
const inText = (path: RegExp, change: (text: string) => string) =>
  whenever(
    (response, asked) => path.test(asked.path) && response.body !== '',
    (response) => {
      response.body = change(response.body);
    },
  );
const sets = (name: string, value: string) => (response: WireResponse) => {
  response.headers[name] = value;
};
const inHead =
  (change: (response: WireResponse) => void) =>
  (response: WireResponse, { method }: Asked) => {
    if (method === 'HEAD') change(response);
  };
const queryDigits = (path: string) => {
  const [before = '', query] = path.split('?');
  return query === undefined ? path : `${before}?${encodeURI(decodeURIComponent(query).normalize('NFKC'))}`;
};
const ignoring =
  (name: string, when: (asked: Asked) => boolean) =>
  (asked: Asked): void => {
    if (when(asked)) delete asked.headers[name];
  };

/** The headers, methods and edges of every operation. */
export const ofEdges: readonly Mutant[] = [
  {
    name: 'HEAD of v2 has no tag',
    noticedBy: 'all.operations.head',
    response: inHead(({ headers }) => void delete headers.etag),
  },
  {
    name: 'HEAD is cached longer',
    noticedBy: 'all.operations.head',
    response: inHead(sets('cache-control', 'max-age=9')),
  },
  {
    name: 'HEAD of an order is 405',
    noticedBy: 'all.operations.head',
    response: (response, asked) => {
      if (asked.method === 'HEAD' && isOrder(asked)) response.status = 405;
    },
  },
  {
    name: 'an order ignores If-None-Match',
    noticedBy: 'all.operations.conditional',
    request: ignoring('if-none-match', isOrder),
  },
  {
    name: 'the summary ignores If-None-Match',
    noticedBy: 'all.operations.conditional',
    request: ignoring('if-none-match', ({ path }) => path.endsWith('/summary')),
  },
  {
    name: 'a pet of v1 ignores If-None-Match',
    noticedBy: 'all.operations.conditional',
    request: ignoring('if-none-match', ({ path }) => /^\/v1\/pets\/\d/.test(path)),
  },
  {
    name: 'a pet of v2 is never 304 for *',
    noticedBy: 'all.operations.conditional',
    request: ignoring(
      'if-none-match',
      ({ path, headers }) => path.startsWith('/v2/pets/') && headers['if-none-match'] === '*',
    ),
  },
  { name: '304 has no Vary', noticedBy: 'all.operations.conditional', response: drops(304, 'vary') },
  {
    name: '304 has another Cache-Control',
    noticedBy: 'all.operations.conditional',
    response: inStatus(304, sets('cache-control', 'no-store')),
  },
  {
    name: '304 of a pet is not deprecated',
    noticedBy: 'all.operations.conditional',
    response: drops(304, 'deprecation'),
  },
  {
    name: '304 has a content type',
    noticedBy: 'all.operations.conditional',
    response: inStatus(304, sets('content-type', 'application/json')),
  },
  {
    name: 'Accept with q=0 is 406',
    noticedBy: 'all.operations.accept',
    response: (response, { headers }) => {
      if (headers.accept?.endsWith('q=0')) response.status = 406;
    },
  },
  {
    name: 'v2 obeys Accept in its content type',
    noticedBy: 'all.operations.accept',
    response: (response, { path, headers }) => {
      if (path.startsWith('/v2') && headers.accept?.includes('v=2'))
        response.headers['content-type'] = 'application/json;v=2';
    },
  },
  {
    name: 'v2 uses an encoding with q=0',
    noticedBy: 'all.operations.encoding',
    request: ({ path, headers }) => {
      if (path.startsWith('/v2/store') && headers['accept-encoding'] === 'gzip;q=0')
        headers['accept-encoding'] = 'gzip';
    },
    response: (response, { path, headers }) => {
      if (path.startsWith('/v2/store') && headers['accept-encoding'] === 'gzip;q=0')
        response.headers['content-encoding'] ??= 'gzip';
    },
  },
  {
    name: 'GET with a body is 400 in v2',
    noticedBy: 'all.operations.get-body',
    response: (response, { method, path, headers }) => {
      if (method === 'GET' && path.startsWith('/v2') && headers['content-length']) becomes(400)(response);
    },
  },
  {
    name: 'only v1 is for any origin',
    noticedBy: 'all.operations.origin',
    response: ({ headers }, { path }) => {
      if (path.startsWith('/v2')) delete headers['access-control-allow-origin'];
    },
  },
  {
    name: 'Allow of v2 lacks GET',
    noticedBy: 'all.operations.other-methods',
    response: inStatus(405, ({ headers }) => {
      headers.allow = headers.allow?.replace('GET, ', '') ?? '';
    }),
  },
  {
    name: 'PATCH of an order is 404',
    noticedBy: 'all.operations.other-methods',
    response: (response, asked) => {
      if (asked.method === 'PATCH' && isOrder(asked)) becomes(404)(response);
    },
  },
  {
    name: 'a preflight of v2 has a body',
    noticedBy: 'all.operations.preflight',
    response: (response, { method, path }) => {
      if (method === 'OPTIONS' && path.startsWith('/v2'))
        Object.assign(response, { status: 200, body: '{}' });
    },
  },
  {
    name: 'Arabic digits are an id',
    noticedBy: 'all.operations.ids',
    request: inPath(/(?:%D9%A\d)+/, (found) =>
      [...decodeURIComponent(found)].map((digit) => digit.charCodeAt(0) - 0x660).join(''),
    ),
  },
  {
    name: 'the history takes an id with a point',
    noticedBy: 'all.operations.ids',
    request: inPath(/(?<=\/\d+)\.0?(?=\/history)/, () => ''),
  },
  {
    name: 'HEAD without a key has no challenge',
    noticedBy: 'all.operations.unauthorized',
    response: inHead(({ headers }) => void delete headers['www-authenticate']),
  },

  {
    name: 'an order that is gone is 410',
    noticedBy: 'all.responses.status',
    response: (response, asked) => {
      if (isOrder(asked) && response.status === 404) response.status = 410;
    },
  },
  { name: 'a new pet has no Location', noticedBy: 'all.responses.headers', response: drops(201, 'location') },
  {
    name: '401 of v2 has no challenge',
    noticedBy: 'all.responses.headers',
    response: (response, { path }) => {
      if (path.startsWith('/v2') && response.status === 401) delete response.headers['www-authenticate'];
    },
  },
  {
    name: 'a shipped order lacks updatedAt',
    noticedBy: 'all.responses.bodies',
    response: inText(/\/ship$/, (text) => text.replace(/,"updatedAt":"[^"]*"/, '')),
  },
  {
    name: 'a changed pet has its stock as text',
    noticedBy: 'all.responses.bodies',
    response: inText(/^\/v2\/pets\/\d+$/, (text) => text.replace(/"stock":(\d+)/, '"stock":"$1"')),
  },
  {
    name: 'a cancellation names a content type',
    noticedBy: 'all.responses.bodies',
    response: inStatus(204, sets('content-type', 'application/json')),
  },
  ...[201, 204, 304, 404, 409].map((status) => ({
    name: `${status} has no X-Request-Id`,
    noticedBy: 'all.responses.standing',
    response: drops(status, 'x-request-id'),
  })),
  ...[201, 204, 401, 422].map((status) => ({
    name: `${status} exposes no headers`,
    noticedBy: 'all.responses.standing',
    response: drops(status, 'access-control-expose-headers'),
  })),
  {
    name: 'a cancellation may be cached',
    noticedBy: 'all.responses.standing',
    response: drops(204, 'cache-control'),
  },
  ...[200, 201, 204, 304, 409].map((status) => ({
    name: `${status} has no RateLimit`,
    noticedBy: 'all.responses.rate-limit',
    response: drops(status, 'ratelimit'),
  })),

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
    response: (response, asked) => {
      if (isPage(asked) && asked.path.includes('limit=7'))
        response.body = response.body.replace('"nextCursor":null', '"nextCursor":"x"');
    },
  },
  {
    name: 'a full last page has a Link',
    noticedBy: 'v2.edges.full-last-page',
    response: (response, asked) => {
      if (isPage(asked) && asked.path.includes('limit=7')) response.headers.link ??= '</v2/pets>; rel="next"';
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
    request: (asked) => {
      if (asked.method === 'POST' && asked.path === '/v2/pets') asked.body = asked.body.normalize('NFKC');
    },
  },
  {
    name: 'a category is found by what looks like it',
    noticedBy: 'v2.edges.unicode',
    request: (asked) => {
      if (asked.path.includes('category=')) asked.path = queryDigits(asked.path);
    },
  },
  {
    name: 'full-width digits are digits',
    noticedBy: 'v2.edges.digits',
    request: (asked) => {
      if (asked.path.includes('limit=%')) asked.path = queryDigits(asked.path);
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
      (_, asked) => isOrders(asked),
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
      (_, asked) => isOrders(asked),
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
