import type { BugHooks, ForwardedRequest, WireResponse } from '../../../src/bugs/bug.ts';
import { readJson, rejectWith } from '../../../src/bugs/mutations.ts';
import { inText, type Mutant } from './changes.ts';
import type { Json } from './json-changes.ts';

const isOrders = (path: string) => /^\/v2\/store\/orders(\?|$)/.test(path);
const isPets = (path: string) => /^\/v2\/pets(\?|$)/.test(path);
const rewrite = (response: WireResponse, change: (body: Json) => unknown) => {
  const body = readJson(response.body) as Json;
  response.body = JSON.stringify(change(body) ?? body);
};
const inPath = (pattern: RegExp, change: string): Pick<BugHooks, 'request'> => ({
  request: (forwarded) => {
    if (forwarded.method === 'GET') forwarded.path = forwarded.path.replace(pattern, change);
  },
});
const inBody = (
  method: string,
  isAffected: (path: string) => boolean,
  pattern: RegExp,
  change: string,
): Pick<BugHooks, 'request'> => ({
  request: (forwarded) => {
    if (forwarded.method === method && isAffected(forwarded.path.replace(/\?.*/, '')))
      forwarded.body = forwarded.body.replace(pattern, change);
  },
});

/** Pages that skip as many orders as earlier pages returned. */
function usesOffsets(): Pick<BugHooks, 'response'> {
  const offsets = new Map<string, number>();
  return {
    async response(response, { method, path }: ForwardedRequest, callService) {
      if (method !== 'GET' || !isOrders(path) || response.status !== 200) return;
      const url = new URL(path, 'http://any.example');
      const cursor = url.searchParams.get('cursor');
      const limit = Number(url.searchParams.get('limit') ?? 50);
      const offset = cursor === null ? 0 : (offsets.get(cursor) ?? 0);
      url.searchParams.delete('cursor');
      url.searchParams.set('limit', '1000');
      const whole = await callService(`GET ${url.pathname}${url.search}`);
      const { data: all } = readJson(whole.body) as { data: unknown[] };
      rewrite(response, (page) => {
        const data = all.slice(offset, offset + limit);
        if (typeof page.nextCursor === 'string') offsets.set(page.nextCursor, offset + data.length);
        return { ...page, data };
      });
    },
  };
}

/** Accepts cursors that were altered at this position. */
function ignoresInCursor(at: number): Pick<BugHooks, 'response'> {
  const valid = new Map<string, string>();
  const without = (cursor: string) => cursor.slice(0, at) + cursor.slice(at + 1);
  return {
    async response(response, { path, method }, callService) {
      if (method !== 'GET' || !isOrders(path)) return;
      const [, next] = /"nextCursor":"([^"]+)"/.exec(response.body) ?? [];
      if (next) valid.set(without(next), next);
      const [, cursor = ''] = /[?&]cursor=([^&]+)/.exec(path) ?? [];
      const known = valid.get(without(cursor));
      if (response.status !== 400 || !known) return;
      Object.assign(response, await callService(`GET ${path.replace(cursor, known)}`));
    },
  };
}

/** Statements of the document of version 2 that only a rare request shows to be wrong. */
export const ofTheV2Document: readonly Mutant[] = [
  {
    name: 'an empty category is no filter',
    noticedBy: 'all.inputs.parameters',
    ...inPath(/([?&])category=?(?=&|$)/, '$1'),
  },
  {
    name: 'an empty cursor is the first page',
    noticedBy: 'all.inputs.parameters',
    ...inPath(/([?&])cursor=(?=&|$)/, '$1'),
  },
  {
    name: 'a boolean may be repeated',
    noticedBy: 'all.inputs.parameters',
    ...inPath(/complete=(true|false)&complete=\1/, 'complete=$1'),
  },
  {
    name: 'a date may be repeated',
    noticedBy: 'all.inputs.parameters',
    ...inPath(/shipDateTo=([^&]+)&shipDateTo=\1/, 'shipDateTo=$1'),
  },
  {
    name: 'a repeated status may have any number of values',
    noticedBy: 'all.inputs.parameters',
    ...inPath(/(status=\w+)(&status=\w+){20,}/, '$1'),
  },
  {
    name: 'pets may be of both statuses',
    noticedBy: 'all.inputs.parameters',
    ...inPath(/([?&])status=available,sold/, '$1'),
  },
  {
    name: 'an id in a query may be -0',
    noticedBy: 'all.inputs.parameters',
    ...inPath(/petId=-0(?=&|$)/, 'petId=0'),
  },
  {
    name: 'an integer in a query may have spaces',
    noticedBy: 'all.inputs.parameters',
    ...inPath(/limit=(?:%20)?(\d+)(?:%20)?(?=&|$)/, 'limit=$1'),
  },
  {
    name: 'a category in a query may have any length',
    noticedBy: 'all.inputs.parameters',
    ...inPath(/category=((?:%C3%A9){50})(?:%C3%A9)+/, 'category=$1'),
  },
  {
    name: '304 comes before 400',
    noticedBy: 'all.inputs.unknown',
    response: (response, { headers }) => {
      if (response.status !== 400 || headers['if-none-match'] !== '*') return;
      Object.assign(response, { status: 304, body: '' });
    },
  },
  {
    name: '304 comes before 404',
    noticedBy: 'all.operations.conditional',
    response: (response, { headers, path }) => {
      if (response.status !== 404 || headers['if-none-match'] !== '*' || !path.startsWith('/v2')) return;
      Object.assign(response, { status: 304, body: '' });
    },
  },
  {
    name: 'parameters of v2 are read before the key',
    noticedBy: 'all.inputs.unknown',
    response: (response, { path }) => {
      if (response.status === 401 && path.includes('?unexpected'))
        rejectWith(response, 400, 'invalid_parameter');
    },
  },
  {
    name: 'a parameter of an operation without parameters is 400',
    noticedBy: 'all.inputs.unknown-in-changes',
    response: (response, { path, method }) => {
      if (method !== 'PATCH' || !path.includes('?')) return;
      Object.assign(response, {
        status: 400,
        body: '{"code":"invalid_parameter","message":"Unknown.","status":400}',
      });
    },
  },
  {
    name: 'QUERY takes one status without a list',
    noticedBy: 'all.inputs.fields',
    ...inBody('QUERY', isOrders, /"status":"(\w+)"/, '"status":["$1"]'),
  },
  {
    name: 'QUERY passes over a status that it does not know',
    noticedBy: 'all.inputs.fields',
    ...inBody('QUERY', isOrders, /,"nonsense"\]/, ']'),
  },
  {
    name: 'a webhook passes over types that it does not know',
    noticedBy: 'all.inputs.fields',
    ...inBody('POST', (path) => path.endsWith('/webhooks'), /,"nonsense"\]/, ']'),
  },
  {
    name: 'QUERY reads booleans from text',
    noticedBy: 'all.inputs.fields',
    ...inBody('QUERY', isOrders, /"complete":"true"/, '"complete":true'),
  },
  {
    name: 'a pointer is not escaped',
    noticedBy: 'all.inputs.fields',
    response: inText(/^\/v2/, (text) => text.replace(/~1/g, '/').replace(/~0/g, '~')),
  },
  {
    name: 'an error counts at most 20 invalid fields',
    noticedBy: 'all.inputs.more-fields',
    response: inText(/^\/v2/, (text) =>
      text.replace(/and (\d+) more/, (_, count: string) => `and ${Math.min(Number(count), 12)} more`),
    ),
  },
  {
    name: 'the second invalid fault is reported as well',
    noticedBy: 'all.inputs.first-item',
    response: inText(/sandbox\/faults$/, (text) =>
      text.replace(/("message":"[^"]*)\."/, "$1; 'faults[1].another' is not a known field.\""),
    ),
  },
  {
    name: 'an order may be compressed with Brotli',
    noticedBy: 'all.inputs.media-types',
    request: ({ method, path, headers }) => {
      if (method === 'POST' && isOrders(path) && headers['content-encoding'] === 'br')
        delete headers['content-encoding'];
    },
  },
  {
    name: 'the encoding `identity` of a pet is 415',
    noticedBy: 'all.inputs.media-types',
    response: (response, { method, headers }) => {
      if (method === 'PATCH' && headers['content-encoding'] === 'identity' && response.status === 400)
        rejectWith(response, 415, 'unsupported_media_type');
    },
  },
  {
    name: 'a changed stock is written without a point',
    noticedBy: 'all.values.integers',
    response: (response, { method, path, body }) => {
      if (
        method === 'PATCH' &&
        /pets/.test(path) &&
        /"stock":[\d.]+[.e]/i.test(body) &&
        response.status === 200
      )
        Object.assign(response, {
          status: 400,
          body: '{"code":"invalid_body","message":"No integer.","status":400}',
        });
    },
    request: () => {},
  },
  {
    name: 'an id with a point is rounded',
    noticedBy: 'v2.exact.inputs',
    request: (forwarded) => {
      if (forwarded.method !== 'POST' || !isOrders(forwarded.path)) return;
      forwarded.body = forwarded.body.replace(/"petId":(\d{16,})\.0/, (_, digits: string) => {
        return `"petId":${BigInt(Number(digits))}`;
      });
    },
  },
  {
    name: 'a name has 100 UTF-16 units',
    noticedBy: 'all.values.texts',
    response: (response, { method, path, body }) => {
      if (method !== 'POST' || !isPets(path) || response.status !== 201) return;
      if (String((readJson(body) as Json).name).length > 100)
        Object.assign(response, {
          status: 400,
          body: '{"code":"invalid_body","message":"Too long.","status":400,"pointer":"/name"}',
        });
    },
    request: () => {},
  },
  {
    name: 'pets of several categories are found',
    noticedBy: 'all.values.texts',
    async response(response, { method, path }, callService) {
      const [, category] = /[?&]category=(\w+)%2C/.exec(path) ?? [];
      if (method !== 'GET' || category === undefined) return;
      Object.assign(response, await callService(`GET ${path.replace(/(category=\w+)%2C\w+/, '$1')}`));
    },
  },
  {
    name: 'categories are found without case',
    noticedBy: 'all.values.texts',
    async response(response, { method, path }, callService) {
      if (method !== 'GET' || !isPets(path) || !/category=A(&|$)/.test(path)) return;
      Object.assign(response, await callService(`GET ${path.replace('category=A', 'category=a')}`));
    },
  },
  {
    name: 'another ship date is the same order to an idempotency key',
    noticedBy: 'all.values.same-body',
    request: (forwarded) => {
      const { method, path, headers, body } = forwarded;
      if (method === 'POST' && isOrders(path) && headers['idempotency-key'])
        forwarded.body = body.replace('05:06.001Z', '05:06Z');
    },
  },
  {
    name: 'an escaped name is another body to an idempotency key',
    noticedBy: 'all.values.same-body',
    response: (response, { body }) => {
      if (!body.includes('\\u0049') || response.status !== 201) return;
      Object.assign(response, {
        status: 422,
        body: '{"code":"idempotency_key_reused","message":"Used.","status":422}',
      });
    },
    request: () => {},
  },
  {
    name: 'a key needs two characters',
    noticedBy: 'v2.idempotency.form',
    response: (response, { headers }) => {
      if (headers['idempotency-key']?.length !== 1 || response.status === 400) return;
      Object.assign(response, {
        status: 400,
        body: '{"code":"invalid_parameter","message":"Too short.","status":400}',
      });
    },
  },
  {
    name: 'a missing pet is found missing before its change is read',
    noticedBy: 'v2.pets.missing',
    response: (response, { method, path }) => {
      if (method === 'PATCH' && /pets\/\d{9,}$/.test(path)) rejectWith(response, 404, 'not_found');
    },
  },
  { name: 'pages of orders skip by offset', noticedBy: 'all.lists.leaving', ...usesOffsets() },
  {
    name: 'one character of a cursor is not signed',
    noticedBy: 'v2.pages.foreign-cursor',
    ...ignoresInCursor(20),
  },
  {
    name: 'pages of pets have 20 by default',
    noticedBy: 'v2.pets.default-limit',
    request: (forwarded) => {
      if (forwarded.method === 'GET' && /^\/v2\/pets$/.test(forwarded.path)) forwarded.path += '?limit=20';
    },
  },
  {
    name: 'QUERY has 20 orders by default',
    noticedBy: 'v2.query.defaults',
    ...inBody('QUERY', isOrders, /^\{\}$/, '{"limit":20}'),
  },
  {
    name: 'the revision of the summary is read after the counts',
    noticedBy: 'v2.summary.concurrent',
    async response(response, { path }, callService) {
      if (path !== '/v2/store/summary' || response.status !== 200) return;
      const later = readJson((await callService('GET /v2/store/summary')).body) as Json;
      rewrite(response, (summary) => ({ ...summary, revision: later.revision }));
    },
  },
  {
    name: 'the summary has the first 520 weeks',
    noticedBy: 'v2.summary.last-weeks',
    async response(response, { path }) {
      if (path !== '/v2/store/summary' || response.status !== 200) return;
      rewrite(response, (summary) => {
        const weeks = summary.weeks as Json[];
        if (weeks.length === 520)
          weeks.splice(0, 520, { ...weeks[0], week: '2001-01-01' }, ...weeks.slice(0, 519));
      });
    },
  },
  {
    name: 'OpenAPI 3.0 lists HEAD',
    noticedBy: 'all.editions.for-generators',
    response: inText(/openapi-3\.0\.json$/, (text) =>
      text.replace(/"\/store\/summary": ?\{/, '$&"head":{},'),
    ),
  },
  {
    name: '`ErrorCode` is an enum',
    noticedBy: 'all.editions.for-generators',
    response: inText(/^\/v2\/openapi.*json$/, (text) => text.replaceAll('"x-extensible-enum"', '"enum"')),
  },
  {
    name: 'a request schema is open',
    noticedBy: 'all.editions.for-generators',
    response: inText(/^\/v2\/openapi.*json$/, (text) =>
      text.replaceAll(/"additionalProperties": ?false,?/g, ''),
    ),
  },
];
