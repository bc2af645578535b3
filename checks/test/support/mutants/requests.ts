import type { BugHooks, CallService, ForwardedRequest, WireResponse } from '../../../src/bugs/bug.ts';
import type { Mutant } from './changes.ts';

const changing = ['POST', 'PUT', 'PATCH', 'DELETE'];
const errorOf = (status: number, code: string): WireResponse => ({
  status,
  headers: { 'content-type': 'application/json', 'x-request-id': 'a' },
  body: JSON.stringify({ code, message: 'Rejected.', status }),
});
const becomesError = (response: WireResponse, status: number, code: string) =>
  Object.assign(response, { status, body: errorOf(status, code).body });

/** A method that a path does not have, sent with a read-only key, gets this error instead of 403. */
const withReadOnlyKey = (
  status: number,
  code: string,
  isAffected: (forwarded: ForwardedRequest) => boolean,
): Pick<BugHooks, 'response'> => ({
  response: (response, forwarded) => {
    if (response.status === 403 && changing.includes(forwarded.method) && isAffected(forwarded))
      becomesError(response, status, code);
  },
});

/** Counts as a preflight with this header alone. */
const isPreflightWith = (name: string): Pick<BugHooks, 'response'> => ({
  response: (response, { method, headers }) => {
    if (method !== 'OPTIONS' || !(name in headers) || response.status === 204) return;
    Object.assign(response, { status: 204, body: '' });
    delete response.headers['content-length'];
    delete response.headers['content-type'];
  },
});

const prefersBrotli = (versions: RegExp): Pick<BugHooks, 'request'> => ({
  request: ({ headers, path }) => {
    const accepted = headers['accept-encoding'] ?? '';
    if (
      versions.test(path) &&
      /br|\*/.test(accepted) &&
      /gzip|\*/.test(accepted) &&
      !/q=0(?!\.)/.test(accepted)
    )
      headers['accept-encoding'] = 'br';
  },
});

/** The page without a cursor, where a cursor was issued with other values of these parameters. */
const ignoresInCursors = (path: RegExp, ...names: string[]): Pick<BugHooks, 'response'> => {
  const issued = new Map<string, string>();
  const selectionOf = (url: URL) => {
    for (const name of ['cursor', 'limit', ...names]) url.searchParams.delete(name);
    return url.pathname + url.search;
  };
  return {
    async response(response, forwarded, callService) {
      if (forwarded.method !== 'GET' || !path.test(forwarded.path)) return;
      const url = new URL(forwarded.path, 'http://any.example');
      const cursor = url.searchParams.get('cursor');
      const selection = selectionOf(new URL(url));
      const [, next] = /"nextCursor":"([^"]+)"/.exec(response.body) ?? [];
      if (next) issued.set(next, selection);
      if (response.status !== 400 || cursor === null || issued.get(cursor) !== selection) return;
      url.searchParams.delete('cursor');
      Object.assign(response, await callService(`GET ${url.pathname}${url.search}`));
    },
  };
};

/** Keys and stores, preflights, encodings and cursors, and the limits of a request. */
export const ofRequests: readonly Mutant[] = [
  {
    name: 'a message names only the first invalid field',
    noticedBy: 'all.inputs.several-fields',
    response: (response) => {
      if (response.body.includes('"invalid_body"'))
        response.body = response.body.replace(/("message":"[^;"]*);[^"]*"/, '$1."');
    },
  },
  {
    name: 'with a read-only key, a change of nothing is 404',
    noticedBy: 'v2.read-key.anywhere',
    ...withReadOnlyKey(404, 'not_found', ({ path }) => path.endsWith('/nothing')),
  },
  {
    name: 'with a read-only key, a method that a list does not have is 405',
    noticedBy: 'v2.read-key.anywhere',
    ...withReadOnlyKey(
      405,
      'method_not_allowed',
      ({ path, method }) => path === '/v1/pets' && method === 'PUT',
    ),
  },
  {
    name: 'OPTIONS with an origin is a preflight',
    noticedBy: 'v1.precedence.401-options',
    ...isPreflightWith('origin'),
  },
  {
    name: 'OPTIONS with the method of a request is a preflight',
    noticedBy: 'all.operations.no-preflight',
    ...isPreflightWith('access-control-request-method'),
  },
  {
    name: 'Brotli is sent to clients that prefer gzip',
    noticedBy: 'v1.compression.preference',
    ...prefersBrotli(/^\/v1/),
  },
  {
    name: 'Brotli is sent to clients of version 2 that prefer gzip',
    noticedBy: 'all.operations.encoding',
    ...prefersBrotli(/^\/v2/),
  },
  {
    name: 'a request id of 64 characters is replaced',
    noticedBy: 'v1.request-id.kept',
    request: ({ headers }) => {
      if (headers['x-request-id']?.length === 64) delete headers['x-request-id'];
    },
  },
  {
    name: 'a request id of 65 characters is echoed',
    noticedBy: 'v1.request-id.long-replaced',
    head: ({ headers }, { headers: { 'x-request-id': id = '' } }) => {
      if (id.length === 65) headers['x-request-id'] = id;
    },
  },
  {
    name: 'a leap second is the second before it',
    noticedBy: 'v2.edges.leap-second',
    request: (forwarded) => {
      forwarded.body = forwarded.body.replace('23:59:60', '23:59:59');
    },
  },
  {
    name: 'an address may have 8,000 characters',
    noticedBy: 'v1.wire.long-uri',
    response: (response, { path }) => {
      if (path.length > 8000) becomesError(response, 414, 'uri_too_long');
    },
  },
  {
    name: 'an address may have 8,200 characters',
    noticedBy: 'v1.wire.long-uri',
    request: (forwarded) => {
      if (forwarded.path.length <= 8200) forwarded.path = forwarded.path.slice(0, 8192);
    },
  },
  {
    name: 'headers may have 16 KiB',
    noticedBy: 'v1.wire.long-headers',
    response: (response, { headers }) => {
      if (JSON.stringify(headers).length > 16_384) becomesError(response, 431, 'headers_too_large');
    },
  },
  {
    name: 'a reset of any data set says the default one',
    noticedBy: 'v2.sandbox.response',
    response: (response, { path }) => {
      if (path.endsWith('/sandbox/reset'))
        response.body = response.body.replace(/"dataSet":"(empty|int64|large)"/, '"dataSet":"default"');
    },
  },
  {
    name: 'cancelling an order of another store has a message of its own',
    noticedBy: 'v2.stores.others',
    ...tellsOfOtherStores(),
  },
  {
    name: 'a cursor of pets fits any status',
    noticedBy: 'all.lists.other-filters',
    ...ignoresInCursors(/^\/v2\/pets\?/, 'status'),
  },
  {
    name: 'a cursor of orders fits any end of their dates',
    noticedBy: 'all.lists.other-filters',
    ...ignoresInCursors(/^\/v2\/store\/orders\?/, 'shipDateTo'),
  },
];

/** Finds the order with the key that was used before a temporary store was opened. */
function tellsOfOtherStores(): Pick<Mutant, 'request' | 'response'> {
  let owner: string | undefined;
  const exists = async (path: string, callService: CallService) =>
    (await callService(`GET ${path.replace('/v1/', '/v2/')}`, undefined, owner)).status === 200;
  return {
    request: () => {},
    async response(response, { method, path, headers }, callService) {
      if (path === '/v2/sandbox/stores' && response.status === 201) owner = headers.authorization;
      if (method !== 'DELETE' || !/^\/v1\/store\/orders\/\d+$/.test(path) || response.status !== 404) return;
      if (owner !== undefined && (await exists(path, callService)))
        response.body = response.body.replace(
          /"message":"[^"]*"/,
          '"message":"Another store has this order."',
        );
    },
  };
}
