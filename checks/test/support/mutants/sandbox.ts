import type { BugHooks, ForwardedRequest, WireResponse } from '../../../src/bugs/bug.ts';
import { rejectWith } from '../../../src/bugs/mutations.ts';
import { authorizationOf, type Mutant } from './changes.ts';
import type { Json } from './json-changes.ts';

const seesBodies: Pick<BugHooks, 'request'> = { request: () => {} };
const isAt =
  (name: string) =>
  ({ path }: ForwardedRequest): boolean =>
    path === `/v2/sandbox/${name}`;
const isReset = isAt('reset');
const isStores = isAt('stores');
const isFaults = isAt('faults');
const preferenceOf = ({ headers }: ForwardedRequest) => headers.prefer ?? '';

/** Changes the text of requests. */
const inText = (
  isTouched: (forwarded: ForwardedRequest) => boolean,
  what: string | RegExp,
  by: string,
): Pick<Mutant, 'request'> => ({
  request: (forwarded) => {
    if (isTouched(forwarded)) forwarded.body = forwarded.body.replace(what, by);
  },
});
const inPreference = (what: string | RegExp, by: string): Pick<Mutant, 'request'> => ({
  request: ({ headers }) => {
    if (headers.prefer) headers.prefer = headers.prefer.replace(what, by);
  },
});
/** Changes the orders of custom data. */
const inOrders = (change: (order: Json) => Json): Pick<Mutant, 'request'> => ({
  request: (forwarded) => {
    if (!isReset(forwarded) || !/^\{"today":.*"data":/.test(forwarded.body)) return;
    const { data, ...rest } = JSON.parse(forwarded.body) as { data: { orders: Json[] } };
    forwarded.body = JSON.stringify({ ...rest, data: { ...data, orders: data.orders.map(change) } });
  },
});
/** Rejects some requests instead of handling them. */
const rejecting = (
  isTouched: (forwarded: ForwardedRequest) => boolean,
  status: number,
  code: string,
): Pick<Mutant, 'intercept'> => ({
  intercept: async (forwarded) => (isTouched(forwarded) ? errorOf(status, code) : undefined),
});
const inResponse = (
  isTouched: (forwarded: ForwardedRequest) => boolean,
  change: (response: WireResponse) => void,
): Pick<Mutant, 'request' | 'response'> => ({
  ...seesBodies,
  response: (response, forwarded) => {
    if (isTouched(forwarded)) change(response);
  },
});
const errorOf = (status: number, code: string): WireResponse => ({
  status,
  headers: { 'content-type': 'application/json', 'x-request-id': 'a' },
  body: JSON.stringify({ code, message: 'Rejected.', status }),
});

/** What SANDBOX.md and LIMITS.md promise: contents, temporary stores, faults, preferences, sizes. */
export const ofSandbox: readonly Mutant[] = [
  {
    name: 'a new store has 19 pending orders',
    noticedBy: 'v2.sandbox.default',
    ...inResponse(
      ({ path }) => path.startsWith('/v2/store/orders?limit=1000'),
      (response) => {
        response.body = response.body.replace('"status":"pending"', '"status":"delivered"');
      },
    ),
  },
  {
    name: 'a new store has no pet that is sold out',
    noticedBy: 'v2.sandbox.default',
    ...inResponse(
      ({ path }) => path === '/v2/pets?status=sold',
      (response) => {
        response.body = '{"data":[],"nextCursor":null}';
      },
    ),
  },
  {
    name: 'large has orders of one year',
    noticedBy: 'v2.sandbox.large',
    ...inResponse(
      ({ path }) => path.startsWith('/v2/store/orders?limit=1000'),
      (response) => {
        const year = new Date().getUTCFullYear();
        response.body = response.body.replace(/"placedAt":"\d{4}/g, `"placedAt":"${year}`);
      },
    ),
  },
  { name: 'int64 is the same for each seed', noticedBy: 'v2.sandbox.int64', ...ignoresSeedOfInt64() },
  {
    name: 'production obeys code=404',
    noticedBy: 'v2.sandbox.production',
    ...rejecting(
      (forwarded) =>
        authorizationOf(forwarded).includes('pst_live') && preferenceOf(forwarded).includes('code=404'),
      404,
      'not_found',
    ),
  },
  {
    name: 'production rejects strict preferences',
    noticedBy: 'v2.sandbox.production',
    ...rejecting(
      (forwarded) =>
        authorizationOf(forwarded).includes('pst_live') && /strict/.test(preferenceOf(forwarded)),
      400,
      'invalid_preference',
    ),
  },
  {
    name: 'a cancelled order of custom data ships when it was placed',
    noticedBy: 'v2.own-data.dates',
    ...inOrders((order) =>
      order.status === 'cancelled' ? { shipDate: order.placedAt ?? '+0d', ...order } : order,
    ),
  },
  {
    name: 'a shipped order of custom data ships three days after it was placed',
    noticedBy: 'v2.own-data.dates',
    ...inOrders((order) =>
      order.status === 'shipped' && !order.placedAt ? { shipDate: '+3d', ...order } : order,
    ),
  },
  {
    name: 'custom data has no dates that are null',
    noticedBy: 'v2.own-data.dates',
    ...rejecting((forwarded) => isReset(forwarded) && /Date":null/.test(forwarded.body), 400, 'invalid_body'),
  },
  {
    name: 'an offset has up to four digits',
    noticedBy: 'v2.own-data.dates',
    ...rejecting(
      (forwarded) => isReset(forwarded) && /"[+-]\d{5}[dhm]"/.test(forwarded.body),
      422,
      'invalid_data',
    ),
  },
  {
    name: 'an offset has up to six digits',
    noticedBy: 'v2.own-data.inconsistent',
    ...inText(isReset, /"\+\d(\d{5}m")/g, '"+$1'),
  },
  {
    name: 'an offset needs no sign',
    noticedBy: 'v2.own-data.inconsistent',
    ...inText(isReset, /"3d"/g, '"+3d"'),
  },
  {
    name: 'a shipped order of custom data may have been updated',
    noticedBy: 'v2.own-data.inconsistent',
    ...inText(isReset, '"status":"shipped","updatedAt":"+1d"', '"status":"shipped"'),
  },
  {
    name: 'a shipped order of custom data may have shipped before it was placed',
    noticedBy: 'v2.own-data.inconsistent',
    ...inText(isReset, '"status":"shipped","placedAt":"+1d"', '"status":"shipped","placedAt":"+0d"'),
  },
  {
    name: 'a pet of custom data may have unknown fields',
    noticedBy: 'v2.own-data.fields',
    ...inText(isReset, /,"unexpected":1(?=\}\],"orders")/, ''),
  },
  {
    name: 'a wrong type in custom data is 422',
    noticedBy: 'v2.own-data.fields',
    ...inResponse(isReset, (response) => {
      if (response.status === 400 && /'(pets|orders)\[0\]\./.test(response.body))
        rejectWith(response, 422, 'invalid_data');
    }),
  },
  {
    name: 'custom data has no ids close to 2^63',
    noticedBy: 'v2.own-data.ids',
    ...rejecting(
      (forwarded) => isReset(forwarded) && forwarded.body.includes('9223372036854775806'),
      422,
      'invalid_data',
    ),
  },
  {
    name: 'an export has at most 9,999 orders',
    noticedBy: 'v2.sandbox.too-much',
    ...inResponse(isAt('data'), (response) => {
      if (response.body.split('"quantity"').length === 10_001) rejectWith(response, 409, 'too_much_data');
    }),
  },
  {
    name: 'custom data may have 10,001 pets',
    noticedBy: 'v2.own-data.most-rows',
    ...inResponse(isReset, (response) => {
      if (response.status === 400 && response.body.includes('data.pets'))
        Object.assign(response, {
          status: 200,
          body: '{"dataSet":"own","seed":null,"orders":0,"pets":10001,"revision":1}',
        });
    }),
  },
  {
    name: 'a temporary store ignores today',
    noticedBy: 'v2.stores.contents',
    ...inText(isStores, /,?"today":"[^"]*"/, ''),
  },
  {
    name: 'a temporary store has an event',
    noticedBy: 'v2.stores.contents',
    ...inResponse(
      ({ path }) => path === '/v2/store/events?after=0',
      (response) => {
        const event = '{"id":"1","type":"store.reset","at":"2026-01-01T00:00:00.000Z","data":{}}';
        response.body = response.body.replace('"data":[]', `"data":[${event}]`);
      },
    ),
  },
  {
    name: 'a temporary store is told another revision',
    noticedBy: 'v2.stores.contents',
    ...inResponse(isStores, (response) => {
      response.body = response.body.replace(/"revision":/, '"revision":1');
    }),
  },
  {
    name: 'a rate limit may last 0 seconds',
    noticedBy: 'v2.sandbox.invalid',
    ...inText(isReset, '"seconds":0', '"seconds":1'),
  },
  {
    name: 'a temporary store takes a data set with data',
    noticedBy: 'v2.stores.invalid',
    ...inText(isStores, /"dataSet":"empty",(?="data")/, ''),
  },
  {
    name: 'a temporary store lasts six hours at most',
    noticedBy: 'v2.stores.expires-in',
    ...inText(isStores, '"expiresIn":86400', '"expiresIn":21600'),
  },
  { name: 'a reset ends temporary stores', noticedBy: 'v2.stores.survives', ...endsStores() },
  {
    name: 'the key of a temporary store is valid at any time',
    noticedBy: 'v2.stores.expiry',
    ...inPreference(/^now="[^"]*"$/, 'handling=lenient'),
  },
  { name: 'requests of temporary stores are not counted', noticedBy: 'v2.stores.requests', ...countsApart() },
  { name: 'any number of temporary stores can exist', noticedBy: 'v2.stores.limit', ...opensAny() },
  {
    name: 'fifty temporary stores can exist',
    noticedBy: 'v2.stores.limit',
    ...opensFifty(),
  },
  {
    name: 'a body of the sandbox has up to one megabyte',
    noticedBy: 'v2.sandbox.size',
    maxBody: 5_000_000,
    ...rejecting(
      (forwarded) => forwarded.path.startsWith('/v2/sandbox') && forwarded.body.length > 1_000_000,
      413,
      'payload_too_large',
    ),
  },
  {
    name: 'an invalid rule disarms the faults',
    noticedBy: 'v2.faults.invalid-rules',
    ...seesBodies,
    response: async (response, forwarded, callService) => {
      if (isFaults(forwarded) && response.status === 400) await callService('DELETE /v2/sandbox/faults');
    },
  },
  {
    name: 'a rule takes a status that its operation does not document',
    noticedBy: 'v2.faults.invalid-rules',
    ...inText(isFaults, '"parameters":{"code":422}', '"parameters":{"code":503}'),
  },
  {
    name: 'a rule takes parameters of another fault',
    noticedBy: 'v2.faults.invalid-rules',
    ...inText(isFaults, '"fault":"drop","parameters":{"ms":5}', '"fault":"drop"'),
  },
  {
    name: 'a rule takes an operation of the sandbox',
    noticedBy: 'v2.faults.invalid-rules',
    ...inText(isFaults, 'v2.openStore', 'v2.listPets'),
  },
  {
    name: 'a fault lasts a minute',
    noticedBy: 'v2.faults.invalid-rules',
    ...inText(isFaults, '"ms":30001', '"ms":30000'),
  },
  {
    name: 'nineteen faults can be armed',
    noticedBy: 'v2.faults.valid-rules',
    ...rejecting(
      (forwarded) => isFaults(forwarded) && forwarded.body.split('"operation"').length === 21,
      400,
      'invalid_body',
    ),
  },
  {
    name: 'no faults cannot be armed',
    noticedBy: 'v2.faults.valid-rules',
    ...rejecting((forwarded) => isFaults(forwarded) && forwarded.body === '[]', 400, 'invalid_body'),
  },
  { name: 'a status for every operation hits all', noticedBy: 'v2.faults.all-operations', ...hitsAll() },
  {
    name: 'every request counts for a probability',
    noticedBy: 'v2.faults.matching',
    response: async (_, { path }, callService) => {
      if (path === '/v1/store/orders') await callService('GET /v1/pets');
    },
  },
  {
    name: 'truncate sends other headers',
    noticedBy: 'v2.faults.bytes',
    head: ({ headers }, forwarded) => {
      if (preferenceOf(forwarded) === 'fault=truncate') delete headers.etag;
    },
  },
  { name: 'drop sends half', noticedBy: 'v2.faults.bytes', ...inPreference('fault=drop', 'fault=truncate') },
  {
    name: 'garbage sends nothing',
    noticedBy: 'v2.faults.bytes',
    ...inPreference('fault=garbage', 'fault=drop'),
  },
  {
    name: 'a date to try again at is rounded down',
    noticedBy: 'v2.faults.date',
    head: ({ headers }) => {
      const time = Date.parse(headers['retry-after'] ?? '');
      if (headers['retry-after']?.endsWith('GMT'))
        headers['retry-after'] = new Date(time - 1000).toUTCString();
    },
  },
  {
    name: 'a 429 on request asks for a minute',
    noticedBy: 'v2.faults.codes',
    head: (response, forwarded) => {
      if (preferenceOf(forwarded) === 'code=429') response.headers['retry-after'] = '60';
    },
  },
  {
    name: 'a 409 on request has the code of another operation',
    noticedBy: 'v2.faults.codes',
    operation: 'v2.shipOrder',
    ...inResponse(
      (forwarded) => preferenceOf(forwarded) === 'code=409',
      (response) => {
        response.body = response.body.replace('invalid_transition', 'order_already_shipped');
      },
    ),
  },
  {
    name: 'Retry-After is only for 503',
    noticedBy: 'v2.faults.retry-after',
    head: ({ status, headers }) => {
      if (status === 404) delete headers['retry-after'];
    },
  },
  {
    name: 'the sandbox obeys preferences',
    noticedBy: 'v2.faults.ignored',
    ...rejecting(
      (forwarded) => isAt('data')(forwarded) && preferenceOf(forwarded) === 'code=503',
      503,
      'unavailable',
    ),
  },
  {
    name: 'unknown paths reject strict preferences',
    noticedBy: 'v2.faults.ignored',
    ...rejecting(
      (forwarded) => forwarded.path.endsWith('/nothing') && preferenceOf(forwarded).includes('strict'),
      400,
      'invalid_preference',
    ),
  },
  {
    name: 'Preference-Applied lists one preference',
    noticedBy: 'v2.faults.both',
    head: ({ headers }) => {
      const [first] = (headers['preference-applied'] ?? '').split(', ');
      if (first) headers['preference-applied'] = first;
    },
  },
  {
    name: 'of code and fault the last applies',
    noticedBy: 'v2.faults.applied',
    ...inPreference('code=503, fault=drop', 'fault=delay; ms=1'),
  },
  {
    name: 'a preference that does not apply hides the next',
    noticedBy: 'v2.faults.applied',
    ...inPreference(/^code=418, .*/, 'handling=lenient'),
  },
  {
    name: 'a time in the past is applied',
    noticedBy: 'v2.faults.applied',
    head: (response, forwarded) => {
      if (preferenceOf(forwarded).startsWith('now="2000'))
        response.headers['preference-applied'] = preferenceOf(forwarded);
    },
  },
  {
    name: 'idempotency keys expire by now',
    noticedBy: 'v2.faults.real-clock',
    request: ({ headers }) => {
      if (headers['idempotency-key'] && headers.prefer?.startsWith('now'))
        headers['idempotency-key'] += '-later';
    },
  },
  {
    name: 'now ends the window of a rate limit',
    noticedBy: 'v2.faults.real-clock',
    head: (response, forwarded) => {
      if (preferenceOf(forwarded).startsWith('now'))
        response.headers.ratelimit = (response.headers.ratelimit ?? '').replace(
          /"store";r=\d+/,
          '"store";r=8',
        );
    },
  },
  {
    name: 'now is never beyond 9000',
    noticedBy: 'v2.faults.latest-now',
    ...inPreference('now="9999-01-01T00:00:00Z"', 'now="9000-01-01T00:00:00Z"'),
  },
  { name: 'a cursor outlives a reset', noticedBy: 'v2.sandbox.cursors', ...outlivesReset() },
  {
    name: 'the later of two resets is 409',
    noticedBy: 'v2.sandbox.concurrent',
    ...inResponse(isReset, (response) => {
      if (response.status === 503) rejectWith(response, 409, 'conflict');
    }),
  },
  {
    name: 'operations of the sandbox count for the limit of a store',
    noticedBy: 'v2.limits.own',
    ...seesBodies,
    response: async (_, forwarded, callService) => {
      if (isFaults(forwarded) && forwarded.method === 'PUT') await callService('GET /v1/pets');
    },
  },
  {
    name: 'what follows # in a target is passed over',
    noticedBy: 'v2.edges.ambiguous',
    request: (forwarded) => {
      forwarded.path = forwarded.path.replace(/#.*/, '');
    },
  },
  {
    name: 'a target of version 2 may have 8,100 characters',
    noticedBy: 'v2.edges.target',
    ...rejecting(({ path }) => path.startsWith('/v2') && path.length > 8100, 414, 'uri_too_long'),
  },
  {
    name: 'a body with many levels is 500',
    noticedBy: 'v2.edges.nesting',
    ...rejecting(({ body }) => body.startsWith('[[[') && body.length > 16_000, 500, 'internal_error'),
  },
];

function ignoresSeedOfInt64(): Pick<Mutant, 'request' | 'response'> {
  const seed = /"dataSet":"int64","seed":(-?\d+)/;
  return {
    ...inText(isReset, seed, '"dataSet":"int64"'),
    response: (response, forwarded) => {
      const [, given] = seed.exec(forwarded.body) ?? [];
      if (isReset(forwarded) && given) response.body = response.body.replace('"seed":1,', `"seed":${given},`);
    },
  };
}

/** Sees the keys of temporary stores. */
function watchKeys(): { keys: Set<string>; watch: Required<BugHooks>['watch'] } {
  const keys = new Set<string>();
  return {
    keys,
    watch: (response, forwarded) => {
      const [, key] = /"key":"([^"]*)"/.exec(response.body) ?? [];
      if (isStores(forwarded) && key) keys.add(key);
    },
  };
}

function endsStores(): Pick<Mutant, 'request' | 'response' | 'watch'> {
  const { keys, watch } = watchKeys();
  return {
    ...seesBodies,
    watch,
    response: async (response, forwarded, callService) => {
      if (!isReset(forwarded) || response.status !== 200) return;
      for (const key of keys)
        await callService('DELETE /v2/sandbox/stores/current', undefined, `Bearer ${key}`);
    },
  };
}

/** The limit of the store that created it does not show the requests of a temporary store. */
function countsApart(): Pick<Mutant, 'request' | 'response' | 'watch'> {
  const { keys, watch } = watchKeys();
  return {
    ...seesBodies,
    watch,
    response: (response, forwarded) => {
      const key = authorizationOf(forwarded).replace('Bearer ', '');
      if (keys.has(key))
        response.headers.ratelimit = (response.headers.ratelimit ?? '').replace(
          /"default";r=\d+/,
          '"default";r=1',
        );
    },
  };
}

function opensAny(): Pick<Mutant, 'request' | 'response'> {
  let last = '';
  return inResponse(isStores, (response) => {
    if (response.status === 201) last = response.body;
    if (response.status === 409) Object.assign(response, { status: 201, body: last });
  });
}

function opensFifty(): Pick<Mutant, 'intercept'> {
  let opened = 0;
  return rejecting(
    (forwarded) => {
      if (isStores(forwarded)) opened += 1;
      if (forwarded.path.endsWith('/current')) opened -= 1;
      return isStores(forwarded) && opened > 50;
    },
    409,
    'store_limit_reached',
  );
}

/** 409 for reading pets, too, while 409 is armed for all operations. */
function hitsAll(): Pick<Mutant, 'request' | 'response'> {
  let isArmed = false;
  return {
    ...seesBodies,
    response: (response, forwarded) => {
      if (isFaults(forwarded) && forwarded.method !== 'GET')
        isArmed = /"operation":"\*".*"code":409/.test(forwarded.body);
      if (forwarded.path === '/v1/pets' && isArmed) rejectWith(response, 409, 'conflict');
    },
  };
}

/** Serves a page again whose cursor has become invalid. */
function outlivesReset(): Pick<Mutant, 'response'> {
  const pages = new Map<string, WireResponse>();
  return {
    response: (response, { path }) => {
      if (!path.includes('limit=1&cursor=')) return;
      if (response.status === 200) pages.set(path, structuredClone(response));
      const known = pages.get(path);
      if (response.status === 400 && known) Object.assign(response, known);
    },
  };
}
