import type { ForwardedRequest, WireResponse } from '../../../src/bugs/bug.ts';
import { readJson, rejectWith, succeed } from '../../../src/bugs/mutations.ts';
import { becomes, inPath, inText, type Mutant } from './changes.ts';
import type { Json } from './json-changes.ts';

const WEEK_MS = 604_800_000;
const MAX_BODY_BYTES = 65_536;
const isV1 = ({ path }: ForwardedRequest) => path.startsWith('/v1/');
const methodsOfV1: readonly [RegExp, readonly string[]][] = [
  [/^\/v1\/(store\/orders|pets|pets\/[^/?]+)$/, ['GET', 'HEAD']],
  [/^\/v1\/store\/orders\/[^/?]+$/, ['DELETE']],
];
const isLeapElsewhere = (text: string) => /T(?!23:59)\d\d:\d\d:60/.test(text);
const inV1 =
  (change: (response: WireResponse, forwarded: ForwardedRequest) => void): Required<Mutant>['response'] =>
  (response, forwarded) => {
    if (isV1(forwarded)) change(response, forwarded);
  };

/** One condition of the service is wrong, and only for unusual requests. */
export const ofConditions: readonly Mutant[] = [
  {
    name: 'an id may end in a line feed',
    noticedBy: 'v1.ids.pet-aliases',
    request: inPath(/(?<=^\/v1\/\D+\d)%0a$/i, () => ''),
  },
  {
    name: 'in version 1, 405 comes before 403',
    noticedBy: 'v2.read-key.anywhere',
    response: inV1((response, { method, path }) => {
      const [, allowed] = methodsOfV1.find(([pattern]) => pattern.test(path)) ?? [];
      if (response.status !== 403 || !allowed || allowed.includes(method)) return;
      rejectWith(response, 405, 'method_not_allowed');
      response.headers.allow = allowed.join(', ');
    }),
  },
  {
    name: 'a key of another scheme is an invalid token',
    noticedBy: 'all.operations.key-elsewhere',
    response: inV1(({ status, headers }, forwarded) => {
      if (status === 401 && forwarded.headers.authorization)
        headers['www-authenticate'] = 'Bearer realm="petstore", error="invalid_token"';
    }),
  },
  {
    name: 'HEAD is never 304',
    noticedBy: 'v1.caching.head',
    request: (forwarded) => {
      if (isV1(forwarded) && forwarded.method === 'HEAD') delete forwarded.headers['if-none-match'];
    },
  },
  {
    name: 'a body on DELETE may have 64 KiB',
    noticedBy: 'v2.edges.unread-bodies',
    response: inV1((response, { method, headers }) => {
      if (method === 'DELETE' && Number(headers['content-length']) > MAX_BODY_BYTES)
        rejectWith(response, 413, 'payload_too_large');
    }),
  },
  {
    name: 'every OPTIONS with an origin is a preflight',
    noticedBy: 'v1.precedence.401-options',
    response: inV1((response, { method, headers }) => {
      if (method === 'OPTIONS' && headers.origin) succeed(response);
    }),
  },
  {
    name: 'a leap second is 23:59:60, whatever the offset',
    noticedBy: 'all.values.dates',
    request: () => {},
    response: (response, { path, body }) => {
      if (path.startsWith('/v2/store/orders') && isLeapElsewhere(body + decodeURI(path)))
        becomes(400)(response);
    },
  },
  {
    name: 'a link has a plus sign that is not escaped',
    noticedBy: 'all.lists.orders',
    head: ({ headers }) => {
      if (headers.link) headers.link = headers.link.replaceAll('%2B', '+');
    },
  },
  {
    name: 'a week before 1970 is the next one',
    noticedBy: 'v2.summary.week-of-any-date',
    response: inText(/^\/v2\/store\/summary/, (text) =>
      text.replace(/"week":"([^"]*)"/g, (found, week: string) => {
        const monday = Date.parse(week);
        return monday < -WEEK_MS
          ? `"week":"${new Date(monday + WEEK_MS).toISOString().slice(0, 10)}"`
          : found;
      }),
    ),
  },
  {
    name: 'statuses reached at the same time are in alphabetical order',
    noticedBy: 'v2.own-data.histories',
    response: inText(/\/history$/, (text) => {
      const { data, ...rest } = readJson(text) as { data?: Json[] };
      const keyOf = ({ at, status }: Json) => `${at} ${status}`;
      return data
        ? JSON.stringify({ data: data.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)), ...rest })
        : text;
    }),
  },
  {
    name: 'QUERY reads integers from text',
    noticedBy: 'all.inputs.fields',
    request: (forwarded) => {
      if (forwarded.method === 'QUERY')
        forwarded.body = forwarded.body.replace(/"(petId|limit)":"(\d+)"/, '"$1":$2');
    },
  },
  {
    name: 'a strict preference is rejected only if its name is unknown',
    noticedBy: 'v2.faults',
    request: ({ headers }) => {
      const names = (headers.prefer ?? '').split(',').map((one) => one.split(/[=;]/)[0]?.trim());
      if (names.every((name) => ['handling', 'now', 'code', 'fault'].includes(String(name))))
        headers.prefer = headers.prefer?.replace('handling=strict', 'handling=lenient') ?? '';
    },
  },
  {
    name: 'exported data have no updatedAt of cancelled orders',
    noticedBy: 'v2.own-data.exact',
    response: inText(/^\/v2\/sandbox\/data/, (text) =>
      text.replace(/("status":"cancelled"[^}]*?),"updatedAt":"[^"]*"/g, '$1'),
    ),
  },
];
