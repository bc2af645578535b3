import type { ForwardedRequest, WireResponse } from '../../../src/bugs/bug.ts';
import { becomes, drops, inStatus, inText, type Mutant, sets, whenever } from './changes.ts';

const isRequest = (method: string, path: RegExp) => (_: WireResponse, forwarded: ForwardedRequest) =>
  forwarded.method === method && path.test(forwarded.path);
const onRequest =
  (method: string, path: RegExp, change: (forwarded: ForwardedRequest) => void) =>
  (forwarded: ForwardedRequest) => {
    if (forwarded.method === method && path.test(forwarded.path)) change(forwarded);
  };
const large = /\b\d{16,}\b/g;
const roundedIn = (path: RegExp) =>
  inText(path, (text) => text.replace(large, (d) => String(BigInt(Number(d)))));

/** Mutants for the checks generated from the documents. */
export const ofTables: readonly Mutant[] = [
  {
    name: 'a preflight allows every method',
    noticedBy: 'all.operations.preflight',
    response: whenever(
      ({ headers }) => 'access-control-allow-methods' in headers,
      sets('access-control-allow-methods', 'GET, HEAD, POST, PUT, PATCH, DELETE, QUERY'),
    ),
  },
  {
    name: 'a preflight of v2 does not allow Prefer',
    noticedBy: 'all.operations.preflight',
    response: whenever(
      ({ headers }, { path }) => path.startsWith('/v2') && 'access-control-allow-headers' in headers,
      ({ headers }) => {
        headers['access-control-allow-headers'] = (headers['access-control-allow-headers'] ?? '').replace(
          /, Prefer|Prefer, /i,
          '',
        );
      },
    ),
  },
  {
    name: 'Allow of 405 does not name HEAD',
    noticedBy: 'all.operations.other-methods',
    response: inStatus(405, ({ headers }) => {
      headers.allow = (headers.allow ?? '').replace(/HEAD, |, HEAD/, '');
    }),
  },
  {
    name: 'HEAD of the stream is 500',
    noticedBy: 'all.operations.head-of-stream',
    head: (response, { method, path }) => {
      if (method === 'HEAD' && path.includes('/stream')) response.status = 500;
    },
  },
  {
    name: 'v2 replaces the request id',
    noticedBy: 'all.operations.request-id',
    request: (forwarded) => {
      if (forwarded.path.startsWith('/v2')) delete forwarded.headers['x-request-id'];
    },
  },
  {
    name: 'QUERY ignores its filters',
    noticedBy: 'v2.query',
    request: onRequest('QUERY', /orders/, (forwarded) => {
      forwarded.body = '{}';
    }),
  },
  {
    name: 'Accept-Query is missing',
    noticedBy: 'v2.query',
    response: whenever(
      ({ headers }) => 'accept-query' in headers,
      ({ headers }) => {
        delete headers['accept-query'];
      },
    ),
  },
  {
    name: 'the tag of a pet stays when it changes',
    noticedBy: 'all.tags',
    response: (response, { path, method, headers }) => {
      if (!/^\/v2\/pets\/\d+$/.test(path) || method === 'PATCH' || response.status > 304) return;
      const tag = `"${path}"`;
      response.headers.etag = tag;
      if (headers['if-none-match']?.includes(tag)) Object.assign(response, { status: 304, body: '' });
    },
  },
  {
    name: 'a page of v2 has one tag for all encodings',
    noticedBy: 'all.operations.encoding',
    head: ({ headers }, { path }) => {
      if (path.startsWith('/v2') && headers.etag)
        headers.etag = headers.etag.replace(/^W\//, '').replace(/-(gzip|br)"/, '"');
    },
  },
  {
    name: 'Link of a filtered page loses the filter',
    noticedBy: 'all.responses.links',
    response: whenever(
      ({ headers }, { path }) => 'link' in headers && path.includes('status='),
      ({ headers }) => {
        headers.link = (headers.link ?? '').replace(/status=[^&>]*&?/, '');
      },
    ),
  },
  {
    name: 'deliveries have no Link',
    noticedBy: 'all.responses.links',
    response: whenever(isRequest('GET', /deliveries/), ({ headers }) => {
      delete headers.link;
    }),
  },
  {
    name: 'createPet ignores Idempotency-Key',
    noticedBy: 'v2.edges.idempotent-pets',
    request: onRequest('POST', /\/pets$/, ({ headers }) => {
      delete headers['idempotency-key'];
    }),
  },
  {
    name: 'the first response says that it is not replayed',
    noticedBy: 'v2.idempotency.replay',
    response: whenever(
      (response, { method, path }) =>
        method === 'POST' && path.endsWith('/orders') && !('idempotent-replayed' in response.headers),
      sets('idempotent-replayed', 'false'),
    ),
  },
  {
    name: 'PATCH takes any content type',
    noticedBy: 'all.inputs.media-types',
    request: onRequest('PATCH', /./, ({ headers }) => {
      headers['content-type'] = 'application/json';
    }),
  },
  {
    name: 'a pet takes unknown fields',
    noticedBy: 'all.inputs.fields',
    request: onRequest('PATCH', /\/pets\//, (forwarded) => {
      forwarded.body = forwarded.body.replace(/,"(?!name|category|stock)\w+":[^,}]*/g, '');
    }),
  },
  {
    name: 'a webhook takes unknown fields',
    noticedBy: 'all.inputs.fields',
    request: onRequest('POST', /\/webhooks$/, (forwarded) => {
      forwarded.body = forwarded.body.replace(/,"(?!url|types)[^"]*":[^,}\]]*/g, '');
    }),
  },
  {
    name: 'limit of events reaches to 2,000',
    noticedBy: 'all.inputs.parameters',
    request: onRequest('GET', /events\?.*limit=(1\d\d\d|2000)\b/, (forwarded) => {
      forwarded.path = forwarded.path.replace(/limit=\d+/, 'limit=1000');
    }),
  },
  {
    name: 'limit of deliveries may be 0',
    noticedBy: 'all.inputs.parameters',
    request: onRequest('GET', /deliveries\?.*limit=0/, (forwarded) => {
      forwarded.path = forwarded.path.replace(/limit=0/, 'limit=1');
    }),
  },
  {
    name: 'a history is in descending order',
    noticedBy: 'v2.orders.history',
    response: inText(/history$/, (text) => {
      const { data, ...rest } = JSON.parse(text) as { data?: unknown[] };
      return data ? JSON.stringify({ data: data.reverse(), ...rest }) : text;
    }),
  },
  {
    name: 'an event is an hour early',
    noticedBy: 'v2.events',
    response: inText(/\/store\/events\?/, (text) =>
      text.replace(
        /"at":"([^"]*)"/g,
        (_, at: string) => `"at":"${new Date(Date.parse(at) - 3_600_000).toISOString()}"`,
      ),
    ),
  },
  {
    name: 'v2 rounds ids in its pages',
    noticedBy: 'v2.exact',
    response: roundedIn(/^\/v2\/(pets|store\/orders)\?/),
  },
  { name: 'the summary rounds ids', noticedBy: 'v2.exact', response: roundedIn(/summary$/) },
  { name: 'exported data round ids', noticedBy: 'v2.exact', response: roundedIn(/sandbox\/data$/) },
  {
    name: 'errors have no pointer',
    noticedBy: 'all.inputs.fields',
    response: (response) => {
      if (response.status >= 400) response.body = response.body.replace(/,"pointer":"[^"]*"/, '');
    },
  },
  {
    name: 'a leap second is rejected',
    noticedBy: 'v2.edges.leap-second',
    response: (response, { body }) => {
      if (/:60(\.\d+)?Z/.test(body)) becomes(400)(response);
    },
    request: () => {},
  },
  {
    name: 'null for a ship date is rejected',
    noticedBy: 'v2.edges.leap-second',
    response: (response, { body }) => {
      if (/"shipDate": ?null/.test(body)) becomes(400)(response);
    },
    request: () => {},
  },
  {
    name: 'the sandbox ignores today',
    noticedBy: 'v2.exact.today',
    request: onRequest('POST', /sandbox/, (forwarded) => {
      forwarded.body = forwarded.body.replace(/,?"today":"[^"]*"/, '').replace('{,', '{');
    }),
  },
  {
    name: 'the 3.2 edition is missing',
    noticedBy: 'all.editions',
    response: (response, { path }) => {
      if (path.endsWith('openapi-3.2.json')) becomes(404)(response);
    },
  },
  {
    name: 'the api-catalog is missing',
    noticedBy: 'all.editions',
    response: (response, { path }) => {
      if (path.endsWith('api-catalog')) becomes(404)(response);
    },
  },
  {
    name: 'a request of the inspector has no request id',
    noticedBy: 'v2.inspector',
    response: inText(/store\/requests/, (text) => text.replace(/"requestId":"[^"]*"/g, '"requestId":""')),
  },
  {
    name: 'a preflight may not be cached',
    noticedBy: 'all.operations.preflight',
    response: drops(204, 'access-control-max-age'),
  },
];
