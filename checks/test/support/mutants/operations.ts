import type { ForwardedRequest, WireResponse } from '../../../src/bugs/bug.ts';
import { becomes, drops, inPath, inStatus, inText, type Mutant, sets } from './changes.ts';

const isOrder = ({ path }: ForwardedRequest) => /^\/v2\/store\/orders\/\d+$/.test(path);
const inHead =
  (change: (response: WireResponse) => void) =>
  (response: WireResponse, { method }: ForwardedRequest) => {
    if (method === 'HEAD') change(response);
  };
const ignoring =
  (name: string, when: (forwarded: ForwardedRequest) => boolean) =>
  (forwarded: ForwardedRequest): void => {
    if (when(forwarded)) delete forwarded.headers[name];
  };

/** The headers and methods of every operation. */
export const ofOperations: readonly Mutant[] = [
  {
    name: 'HEAD of v2 has no ETag',
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
    response: (response, forwarded) => {
      if (forwarded.method === 'HEAD' && isOrder(forwarded)) response.status = 405;
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
    name: 'v2 copies a parameter of Accept to its content type',
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
    name: 'v2 has no Access-Control-Allow-Origin',
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
    response: (response, forwarded) => {
      if (forwarded.method === 'PATCH' && isOrder(forwarded)) becomes(404)(response);
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
    name: 'Arabic digits are accepted as an id',
    noticedBy: 'all.operations.ids',
    request: inPath(/(?:%D9%A\d)+/, (found) =>
      [...decodeURIComponent(found)].map((digit) => digit.charCodeAt(0) - 0x660).join(''),
    ),
  },
  {
    name: 'the history accepts an id with a decimal point',
    noticedBy: 'all.operations.ids',
    request: inPath(/(?<=\/\d+)\.0?(?=\/history)/, () => ''),
  },
  {
    name: 'HEAD without a key has no challenge',
    noticedBy: 'all.operations.unauthorized',
    response: inHead(({ headers }) => void delete headers['www-authenticate']),
  },

  {
    name: 'a missing order is 410',
    noticedBy: 'all.responses.status',
    response: (response, forwarded) => {
      if (isOrder(forwarded) && response.status === 404) response.status = 410;
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
    name: 'a changed pet has its stock as a string',
    noticedBy: 'all.responses.bodies',
    response: inText(/^\/v2\/pets\/\d+$/, (text) => text.replace(/"stock":(\d+)/, '"stock":"$1"')),
  },
  {
    name: 'a cancellation has a content type',
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
];
