import {
  authorizationOf,
  becomes,
  inStatus,
  isPet,
  type Mutant,
  whenever,
  without,
  withoutHeader,
} from './changes.ts';

/** Headers, caches, origins and the document. */
export const ofProtocol: readonly Mutant[] = [
  {
    name: '`ETag` never changes',
    noticedBy: 'v1.caching',
    response: whenever(
      ({ headers }) => 'etag' in headers,
      ({ headers }) => {
        headers.etag = 'W/"a-1"';
      },
    ),
  },
  {
    name: '`ETag` always changes',
    noticedBy: 'v1.caching',
    response: whenever(
      ({ headers }) => 'etag' in headers,
      ({ headers }) => {
        headers.etag = `W/"${Math.random()}"`;
      },
    ),
  },
  { name: '`If-None-Match` is ignored', noticedBy: 'v1.caching', request: withoutHeader('if-none-match') },
  {
    name: '`If-None-Match` knows no lists',
    noticedBy: 'v1.caching',
    request: (forwarded) => {
      if (forwarded.headers['if-none-match']?.includes(',')) forwarded.headers['if-none-match'] = '"x"';
    },
  },
  {
    name: '304 has a body',
    noticedBy: 'v1.caching',
    response: inStatus(304, (response) => {
      response.status = 200;
    }),
  },
  { name: '`Cache-Control` is missing', noticedBy: 'v1.caching', response: without('cache-control') },
  {
    name: '`Cache-Control` is public',
    noticedBy: 'v1.caching',
    response: whenever(
      ({ headers }) => 'cache-control' in headers,
      ({ headers }) => {
        headers['cache-control'] = 'public, max-age=60';
      },
    ),
  },
  {
    name: 'an error has an `ETag`',
    noticedBy: 'v1.caching',
    response: inStatus(404, ({ headers }) => {
      headers.etag = '"a"';
    }),
  },
  { name: 'nothing is compressed', noticedBy: 'v1.compression', request: withoutHeader('accept-encoding') },
  { name: '`Vary` is missing', noticedBy: 'v1.compression', response: without('vary') },
  {
    name: 'a refused encoding is used',
    noticedBy: 'v1.compression',
    request: (forwarded) => {
      if (forwarded.headers['accept-encoding'] === 'gzip;q=0') forwarded.headers['accept-encoding'] = 'gzip';
    },
  },

  {
    name: 'a preflight needs a key',
    noticedBy: 'v1.cors',
    response: (response, { method }) => {
      if (method === 'OPTIONS') response.status = 401;
    },
  },
  {
    name: 'a preflight does not allow DELETE',
    noticedBy: 'v1.cors',
    response: whenever(
      ({ headers }) => 'access-control-allow-methods' in headers,
      ({ headers }) => {
        headers['access-control-allow-methods'] = 'GET';
      },
    ),
  },
  {
    name: 'cookies are let in',
    noticedBy: 'v1.cors',
    response: (response) => {
      response.headers['access-control-allow-credentials'] = 'true';
    },
  },
  { name: 'no header is exposed', noticedBy: 'v1.cors', response: without('access-control-expose-headers') },
  { name: '`X-Request-Id` is missing', noticedBy: 'v1.request-id', response: without('x-request-id') },
  {
    name: '`X-Request-Id` of the request is not kept',
    noticedBy: 'v1.request-id',
    request: withoutHeader('x-request-id'),
  },
  {
    name: 'a long `X-Request-Id` is cut to 64 characters',
    noticedBy: 'v1.request-id',
    head: (response, { headers }) => {
      const id = headers['x-request-id'] ?? '';
      if (/^[\w.:=-]{65,}$/.test(id)) response.headers['x-request-id'] = id.slice(0, 64);
    },
  },
  {
    name: '`X-Request-Id` is kept whatever it is',
    noticedBy: 'v1.request-id',
    response: ({ headers }, forwarded) => {
      const id = forwarded.headers['x-request-id'];
      if (id) headers['x-request-id'] = id;
    },
  },
  {
    name: 'HEAD says another length',
    noticedBy: 'v1.head',
    response: ({ headers }, { method }) => {
      if (method === 'HEAD') headers['content-length'] = '7';
    },
  },
  {
    name: 'an address that is too long is 400',
    noticedBy: 'v1.wire',
    response: inStatus(414, becomes(400)),
  },
  {
    name: 'headers that are too large are 400',
    noticedBy: 'v1.wire',
    response: inStatus(431, becomes(400)),
  },
  {
    name: '`Accept` is obeyed',
    noticedBy: 'v1.bodies',
    response: (response, { headers }) => {
      if (headers.accept?.startsWith('text/html')) response.status = 406;
    },
  },
  {
    name: 'a content type is obeyed',
    noticedBy: 'v1.bodies',
    response: (response, forwarded) => {
      if (
        authorizationOf(forwarded) !== '' &&
        /^(x\/y|application\/xml)/.test(forwarded.headers['content-type'] ?? '')
      )
        becomes(415)(response);
    },
  },
  {
    name: 'the document says another version',
    noticedBy: 'v1.versioning',
    response: (response, { path }) => {
      if (path.endsWith('/openapi.json')) response.body = response.body.replace('"1.0.0"', '"1.1.0"');
    },
  },
  {
    name: 'the document deprecates nothing',
    noticedBy: 'v1.versioning',
    response: (response, { path }) => {
      if (path.endsWith('/openapi.json'))
        response.body = response.body.replace(/"deprecated": ?true/, '"deprecated":false');
    },
  },
  {
    name: 'the document lacks an answer',
    noticedBy: 'v1.document',
    response: (response, { path }) => {
      if (path.endsWith('/openapi.json')) response.body = response.body.replaceAll('"409":', '"418":');
    },
  },
  {
    name: 'the document needs a key',
    noticedBy: 'v1.document',
    response: (response, { path }) => {
      if (path.endsWith('/openapi.json')) response.status = 401;
    },
  },
  {
    name: 'a cookie is set',
    noticedBy: 'all',
    response: ({ headers }) => {
      headers['set-cookie'] = 'a=b';
    },
  },
  {
    name: 'the software is named',
    noticedBy: 'all',
    response: ({ headers }) => {
      headers['x-powered-by'] = 'Pets';
    },
  },
  {
    name: 'a key is repeated',
    noticedBy: 'all',
    response: ({ headers }, forwarded) => {
      const key = /pst_\w{43}/.exec(forwarded.headers.authorization ?? '')?.[0];
      if (key) headers['x-key'] = key;
    },
  },
  {
    name: 'a wrong address is an error of the service',
    noticedBy: 'all',
    response: (response, { path }) => {
      if (path.includes('987654321')) becomes(500)(response);
    },
  },
  {
    name: 'every pet is rate limited now and then',
    noticedBy: 'all',
    response: (response, forwarded) => {
      if (isPet(forwarded)) becomes(429)(response);
    },
  },
];
