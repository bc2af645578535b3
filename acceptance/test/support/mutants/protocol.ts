import {
  becomes,
  caching,
  compression,
  cors,
  hasKey,
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
    section: caching,
    answer: whenever(
      ({ headers }) => 'etag' in headers,
      ({ headers }) => {
        headers.etag = 'W/"a-1"';
      },
    ),
  },
  {
    name: '`ETag` always changes',
    section: caching,
    answer: whenever(
      ({ headers }) => 'etag' in headers,
      ({ headers }) => {
        headers.etag = `W/"${Math.random()}"`;
      },
    ),
  },
  { name: '`If-None-Match` is ignored', section: caching, request: withoutHeader('if-none-match') },
  {
    name: '`If-None-Match` knows no lists',
    section: caching,
    request: (asked) => {
      if (asked.headers['if-none-match']?.includes(',')) asked.headers['if-none-match'] = '"x"';
    },
  },
  {
    name: '304 has a body',
    section: caching,
    answer: inStatus(304, (answered) => {
      answered.status = 200;
    }),
  },
  { name: '`Cache-Control` is missing', section: caching, answer: without('cache-control') },
  {
    name: '`Cache-Control` is public',
    section: caching,
    answer: whenever(
      ({ headers }) => 'cache-control' in headers,
      ({ headers }) => {
        headers['cache-control'] = 'public, max-age=60';
      },
    ),
  },
  {
    name: 'an error has an `ETag`',
    section: caching,
    answer: inStatus(404, ({ headers }) => {
      headers.etag = '"a"';
    }),
  },
  { name: 'nothing is compressed', section: compression, request: withoutHeader('accept-encoding') },
  { name: '`Vary` is missing', section: compression, answer: without('vary') },
  {
    name: 'a refused encoding is used',
    section: compression,
    request: (asked) => {
      if (asked.headers['accept-encoding'] === 'gzip;q=0') asked.headers['accept-encoding'] = 'gzip';
    },
  },

  {
    name: 'a preflight needs a key',
    section: cors,
    answer: (answered, { method }) => {
      if (method === 'OPTIONS') answered.status = 401;
    },
  },
  {
    name: 'a preflight does not allow DELETE',
    section: cors,
    answer: whenever(
      ({ headers }) => 'access-control-allow-methods' in headers,
      ({ headers }) => {
        headers['access-control-allow-methods'] = 'GET';
      },
    ),
  },
  {
    name: 'cookies are let in',
    section: cors,
    answer: (answered) => {
      answered.headers['access-control-allow-credentials'] = 'true';
    },
  },
  { name: 'no header is exposed', section: cors, answer: without('access-control-expose-headers') },
  { name: '`X-Request-Id` is missing', section: 'Decided: X-Request-Id', answer: without('x-request-id') },
  {
    name: '`X-Request-Id` of the request is not kept',
    section: 'Decided: X-Request-Id',
    request: withoutHeader('x-request-id'),
  },
  {
    name: '`X-Request-Id` is kept whatever it is',
    section: 'Decided: X-Request-Id',
    answer: ({ headers }, asked) => {
      const id = asked.headers['x-request-id'];
      if (id) headers['x-request-id'] = id;
    },
  },
  {
    name: 'HEAD says another length',
    section: 'Decided: HEAD',
    answer: ({ headers }, { method }) => {
      if (method === 'HEAD') headers['content-length'] = '7';
    },
  },
  {
    name: 'an address that is too long is 400',
    section: 'Decided: what is hardly HTTP',
    answer: inStatus(414, becomes(400)),
  },
  {
    name: 'headers that are too large are 400',
    section: 'Decided: what is hardly HTTP',
    answer: inStatus(431, becomes(400)),
  },
  {
    name: '`Accept` is obeyed',
    section: 'Decided: bodies and content types that nobody asked for',
    answer: (answered, { headers }) => {
      if (headers.accept?.startsWith('text/html')) answered.status = 406;
    },
  },
  {
    name: 'a content type is obeyed',
    section: 'Decided: bodies and content types that nobody asked for',
    answer: (answered, asked) => {
      if (hasKey(asked) && /^(x\/y|application\/xml)/.test(asked.headers['content-type'] ?? ''))
        becomes(415)(answered);
    },
  },
  {
    name: 'the document says another version',
    section: 'Versioning',
    answer: (answered, { path }) => {
      if (path.endsWith('/openapi.json')) answered.body = answered.body.replace('"1.0.0"', '"1.1.0"');
    },
  },
  {
    name: 'the document deprecates nothing',
    section: 'Versioning',
    answer: (answered, { path }) => {
      if (path.endsWith('/openapi.json'))
        answered.body = answered.body.replace(/"deprecated": ?true/, '"deprecated":false');
    },
  },
  {
    name: 'the document lacks an answer',
    section: 'Decided: the published document',
    answer: (answered, { path }) => {
      if (path.endsWith('/openapi.json')) answered.body = answered.body.replaceAll('"409":', '"418":');
    },
  },
  {
    name: 'the document needs a key',
    section: 'Decided: the published document',
    answer: (answered, { path }) => {
      if (path.endsWith('/openapi.json')) answered.status = 401;
    },
  },
  {
    name: 'a cookie is set',
    section: 'Every answer of this run',
    answer: ({ headers }) => {
      headers['set-cookie'] = 'a=b';
    },
  },
  {
    name: 'the software is named',
    section: 'Every answer of this run',
    answer: ({ headers }) => {
      headers['x-powered-by'] = 'Pets';
    },
  },
  {
    name: 'a key is repeated',
    section: 'Every answer of this run',
    answer: ({ headers }, asked) => {
      const key = /pst_\w{43}/.exec(asked.headers.authorization ?? '')?.[0];
      if (key) headers['x-key'] = key;
    },
  },
  {
    name: 'a wrong address is an error of the service',
    section: 'Every answer of this run',
    answer: (answered, { path }) => {
      if (path.includes('987654321')) becomes(500)(answered);
    },
  },
  {
    name: 'every pet is rate limited now and then',
    section: 'Every answer of this run',
    answer: (answered, asked) => {
      if (isPet(asked)) becomes(429)(answered);
    },
  },
];
