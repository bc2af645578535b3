import type { ForwardedRequest, WireResponse } from '../../../src/bugs/bug.ts';
import { idIn, readJson } from '../../../src/bugs/mutations.ts';
import { inText, type Mutant } from './changes.ts';
import type { Json } from './json-changes.ts';

const isV2 = ({ path }: ForwardedRequest) => path.startsWith('/v2/');
const onRequest =
  (method: string, path: RegExp, change: (forwarded: ForwardedRequest) => void) =>
  (forwarded: ForwardedRequest) => {
    if (forwarded.method === method && path.test(forwarded.path)) change(forwarded);
  };
const onResponse =
  (method: string, path: RegExp, change: (response: WireResponse, forwarded: ForwardedRequest) => void) =>
  (response: WireResponse, forwarded: ForwardedRequest) => {
    if (forwarded.method === method && path.test(forwarded.path)) change(response, forwarded);
  };
const query = (forwarded: ForwardedRequest, change: (query: URLSearchParams) => void) => {
  const url = new URL(forwarded.path, 'http://any.example');
  change(url.searchParams);
  forwarded.path = url.pathname + (url.searchParams.size > 0 ? `?${url.searchParams}` : '');
};
const json = (text: string) => readJson(text) as Json;
const rewrite = (response: WireResponse, change: (body: Json) => unknown) => {
  const body = json(response.body);
  response.body = JSON.stringify(change(body) ?? body);
};

/** Two features that meet: filters and cursors, changes through either version, keys and versions, faults and headers. */
export const ofInteractions: readonly Mutant[] = [
  {
    name: 'pets that are available include sold ones',
    noticedBy: 'all.lists',
    request: onRequest('GET', /^\/v2\/pets\?/, (forwarded) =>
      query(forwarded, (q) => {
        if (q.get('status') === 'available' && !q.has('category') && !q.has('cursor')) q.delete('status');
      }),
    ),
  },
  {
    name: 'a second page of filtered pets begins with another one',
    noticedBy: 'all.lists',
    response(response, { method, path }) {
      if (method !== 'GET' || !/^\/v2\/pets\?.*category=.*cursor=/.test(path) || response.status !== 200)
        return;
      rewrite(response, (page) => {
        const [first] = page.data as Json[];
        return { ...page, data: [{ ...first, id: 1 }, ...(page.data as Json[]).slice(1)] };
      });
    },
  },
  {
    name: 'a pet without a stock has one',
    noticedBy: 'all.changes',
    request: onRequest('POST', /^\/v2\/pets$/, (forwarded) => {
      if (forwarded.body.includes('"category"') && !forwarded.body.includes('"stock"'))
        forwarded.body = forwarded.body.replace(/\}\s*$/, ',"stock":1}');
    }),
  },
  {
    name: 'an order is shipped when it was placed, says its history',
    noticedBy: 'all.changes',
    response: onResponse('GET', /history$/, (response) => {
      if (response.status !== 200) return;
      rewrite(response, (history) => {
        const data = history.data as Json[];
        if (data.length === 3) Object.assign(data[1] as Json, { at: data[0]?.at });
      });
    }),
  },
  {
    name: 'a wrong field of QUERY is invalid_body',
    noticedBy: 'all.inputs.fields',
    response: onResponse('QUERY', /orders/, (response) => {
      response.body = response.body.replace('"code":"invalid_parameter"', '"code":"invalid_body"');
    }),
  },
  {
    name: 'QUERY ignores parameters of its address',
    noticedBy: 'all.lists',
    request: onRequest('QUERY', /\?/, (forwarded) => {
      forwarded.path = forwarded.path.replace(/\?.*/, '');
    }),
  },
  {
    name: "a store's own limit is announced as another",
    noticedBy: 'v2.limits',
    head: ({ headers }) => {
      const policy = headers['ratelimit-policy'];
      if (policy?.includes('q=5;')) headers['ratelimit-policy'] = policy.replace('q=5;', 'q=1000;');
    },
  },
  {
    name: 'a webhook can be moved to an address where nothing can be sent',
    noticedBy: 'all.rejections',
    async response(response, { method, path }, callService) {
      if (method !== 'PATCH' || !path.startsWith('/v2/webhooks/') || response.status !== 422) return;
      Object.assign(response, await callService(`GET ${path}`));
    },
  },
  {
    name: 'a new secret comes with an inactive webhook',
    noticedBy: 'v2.webhooks',
    response: inText(/roll-secret$/, (text) => text.replace('"active":true', '"active":false')),
  },
  {
    name: 'the delivery of a test is years old',
    noticedBy: 'v2.webhooks',
    response: onResponse('POST', /\/test$/, (response) => {
      response.body = response.body.replace(/"createdAt":"\d{4}/, '"createdAt":"1999');
    }),
  },
  {
    name: 'a page of deliveries ignores limit',
    noticedBy: 'all.lists',
    request: onRequest('GET', /deliveries\?/, (forwarded) =>
      query(forwarded, (q) => {
        if (Number(q.get('limit')) > 1 && Number(q.get('limit')) < 1000) q.delete('limit');
      }),
    ),
  },
  {
    name: 'the inspector begins with the oldest request',
    noticedBy: 'all.lists',
    response: onResponse('GET', /store\/requests/, (response) => {
      if (response.status === 200)
        rewrite(response, (page) => ({ ...page, data: (page.data as Json[]).reverse() }));
    }),
  },
  {
    name: 'the inspector shows its own reads',
    noticedBy: 'v2.inspector',
    response: onResponse('GET', /store\/requests/, (response) => {
      if (response.status === 200)
        response.body = response.body
          .replace(/"path":"\/v2\/store\/events"/, '"path":"/v2/store/requests"')
          .replace(/"operation":"listPets"/, '"operation":"listRequests"');
    }),
  },
  {
    name: 'for an idempotency key 1 and 1.0 are two bodies',
    noticedBy: 'all.values',
    request: onRequest('POST', /^\/v2\/store\/orders$/, (forwarded) => {
      if (forwarded.headers['idempotency-key'] && /"quantity": ?\d+\.0/.test(forwarded.body))
        forwarded.body = forwarded.body.replace(
          /"quantity": ?(\d+)\.0/,
          (_, n) => `"quantity":${Number(n) + 1}`,
        );
    }),
  },
  {
    name: 'an idempotency key may not contain a space',
    noticedBy: 'all.values',
    response: onResponse('POST', /^\/v2\/store\/orders$/, (response, { headers }) => {
      if (headers['idempotency-key']?.includes(' ') && response.status === 201)
        Object.assign(response, {
          status: 400,
          body: '{"code":"invalid_parameter","message":"Idempotency-Key: no spaces.","status":400}',
        });
    }),
  },
  {
    name: 'a ship date in the past is rejected',
    noticedBy: 'all.changes',
    response: onResponse('POST', /^\/v2\/store\/orders$/, (response, { body }) => {
      const year = Number(/"shipDate": ?"(\d{4})/.exec(body)?.[1] ?? 9999);
      if (year < 2026 && response.status === 201)
        Object.assign(response, {
          status: 400,
          body: '{"code":"invalid_body","message":"shipDate is in the past.","status":400,"pointer":"/shipDate"}',
        });
    }),
    request: () => {},
  },
  {
    name: 'a cursor of another store is taken',
    noticedBy: 'all.lists',
    request: (forwarded) => {
      if (!forwarded.path.includes('cursor=') || !isV2(forwarded)) return;
      const key = forwarded.headers.authorization ?? '';
      const cursor = /cursor=([^&]*)/.exec(forwarded.path)?.[1] ?? '';
      if (cursor.length === 43 && cursors.has(cursor) && cursors.get(cursor) !== key)
        forwarded.path = forwarded.path.replace(/[?&]cursor=[^&]*/, '');
    },
    response: (response, { headers, path }) => {
      const cursor = /"nextCursor":"([^"]{43})"/.exec(response.body)?.[1];
      if (cursor && path.startsWith('/v2')) cursors.set(cursor, headers.authorization ?? '');
    },
  },
  {
    name: 'the stock of a pet with open orders is set without them',
    noticedBy: 'all.changes',
    async request(forwarded, callService) {
      if (forwarded.method !== 'PATCH' || !/^\/v2\/pets\/\d+$/.test(forwarded.path)) return;
      const stock = /^\{"stock":(\d+)\}$/.exec(forwarded.body)?.[1];
      if (!stock || stock === '0') return;
      const page = await callService(
        `GET /v2/store/orders?petId=${idIn(forwarded.path)}&status=pending&limit=1000`,
      );
      const units = [...page.body.matchAll(/"quantity":(\d+)/g)].reduce((sum, [, n]) => sum + Number(n), 0);
      forwarded.body = `{"stock":${Math.max(0, Number(stock) - units)}}`;
    },
  },
  {
    name: 'an order cancelled in version 1 is no event',
    noticedBy: 'all.changes',
    ...cancelledInV1IsNoEvent(),
  },
  {
    name: 'the list of pets has the same tag after an order',
    noticedBy: 'all.changes',
    ...tagOfPetsIgnoresOrders(),
  },
  {
    name: 'a rejected change gives another tag',
    noticedBy: 'all.rejections',
    ...rejectionsChangeTags(),
  },
  {
    name: 'a rejected shipment takes a unit of stock',
    noticedBy: 'all.rejections',
    async response(response, { method, path }, callService) {
      if (method !== 'POST' || !path.endsWith('/ship') || response.status !== 409) return;
      const order = json((await callService(`GET ${path.replace(/\/ship$/, '')}`)).body);
      const pet = json((await callService(`GET /v2/pets/${order.petId}`)).body);
      if (Number(pet.stock) > 0)
        await callService(`PATCH /v2/pets/${order.petId}`, `{"stock":${Number(pet.stock) - 1}}`);
    },
  },
  {
    name: 'Preference-Applied repeats the parameters',
    noticedBy: 'v2.faults',
    head: ({ headers }, forwarded) => {
      if (headers['preference-applied']?.startsWith('fault=delay'))
        headers['preference-applied'] = forwarded.headers.prefer ?? '';
    },
  },
  {
    name: 'the last rule wins',
    noticedBy: 'v2.faults',
    request: onRequest('PUT', /sandbox\/faults$/, (forwarded) => {
      try {
        const rules = JSON.parse(forwarded.body) as Json[];
        if (rules.length > 1) forwarded.body = JSON.stringify(rules.reverse());
      } catch {}
    }),
  },
  {
    name: 'a temporary store lasts a day by default',
    noticedBy: 'v2.stores',
    response: onResponse('POST', /sandbox\/stores$/, (response, { body }) => {
      if (!body.includes('expiresIn'))
        response.body = response.body.replace(
          /"expiresAt":"([^"]*)"/,
          (_, at) => `"expiresAt":"${new Date(Date.parse(at) + 82_800_000).toISOString()}"`,
        );
    }),
    request: () => {},
  },
  {
    name: 'exported orders were placed an hour later',
    noticedBy: 'v2.own-data',
    response: inText(/sandbox\/data$/, (text) =>
      text.replace(
        /"placedAt":"([^"]*)"/g,
        (_, at) => `"placedAt":"${new Date(Date.parse(at) + 60_000).toISOString()}"`,
      ),
    ),
  },
  {
    name: 'ids of an empty store begin at 1001',
    noticedBy: 'v2.stores.defaults',
    request: onRequest('POST', /sandbox\/(reset|stores)$/, (forwarded) => {
      if (/^\{"dataSet":"empty"/.test(forwarded.body))
        forwarded.body = forwarded.body.replace('"dataSet":"empty"', '"data":{"pets":[],"orders":[]}');
    }),
    response: onResponse('POST', /^\/v2\/pets$/, (response) => {
      if (response.status === 201) response.body = response.body.replace('"id":1,', '"id":1001,');
    }),
  },
  {
    name: 'version 2 takes the key from X-API-Key',
    noticedBy: 'all.operations.key-elsewhere',
    request: (forwarded) => {
      const key = forwarded.headers['x-api-key'];
      if (key && isV2(forwarded)) forwarded.headers.authorization = `Bearer ${key}`;
    },
  },
  {
    name: 'version 2 echoes no request id where the key is right',
    noticedBy: 'all.operations.own-request-id',
    head: (response, forwarded) => {
      if (isV2(forwarded) && response.status < 400 && forwarded.headers['x-request-id'])
        response.headers['x-request-id'] = 'another';
    },
  },
  {
    name: 'browsers may not read Preference-Applied',
    noticedBy: 'all.responses.exposed',
    head: ({ headers }) => {
      headers['access-control-expose-headers'] = (headers['access-control-expose-headers'] ?? '').replace(
        ', Preference-Applied',
        '',
      );
    },
  },
  {
    name: 'HEAD of a verb is 200',
    noticedBy: 'all.operations.head-of-change',
    response: (response, { method, path }) => {
      if (method === 'HEAD' && /(ship|deliver|test|roll-secret)$/.test(path) && response.status === 405) {
        response.status = 200;
        delete response.headers.allow;
      }
    },
  },
];

const cursors = new Map<string, string>();

function cancelledInV1IsNoEvent(): Pick<Mutant, 'response' | 'event'> {
  const ids = new Set<string>();
  return {
    response: (response, { method, path }) => {
      if (method === 'DELETE' && path.startsWith('/v1/') && response.status === 204) ids.add(idIn(path));
      if (method !== 'GET' || !/^\/v2\/store\/events(\?|$)/.test(path) || response.status !== 200) return;
      rewrite(response, (page) => ({
        ...page,
        data: (page.data as Json[]).filter(
          ({ type, data }) => type !== 'order.cancelled' || !ids.has(String((data as Json).id)),
        ),
      }));
    },
  };
}

function tagOfPetsIgnoresOrders(): Pick<Mutant, 'response'> {
  let tag: string | undefined;
  return {
    response: (response, { method, path, headers }) => {
      if (method === 'GET' && /^\/v1\/pets$/.test(path) && response.headers.etag) {
        tag ??= response.headers.etag;
        response.headers.etag = tag;
        if (headers['if-none-match'] === tag) Object.assign(response, { status: 304, body: '' });
      } else if (method !== 'GET' && !/orders/.test(path) && response.status < 300) tag = undefined;
    },
  };
}

function rejectionsChangeTags(): Pick<Mutant, 'response' | 'request'> {
  let count = 0;
  return {
    request: () => {},
    response: (response, { method }) => {
      if (method !== 'GET' && response.status === 409) count += 1;
      const { etag } = response.headers;
      if (etag && count > 0) response.headers.etag = etag.replace(/"$/, `${count}"`);
    },
  };
}
