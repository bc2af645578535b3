import type { ForwardedRequest, WireResponse } from '../../../src/bugs/bug.ts';
import { idIn, readJson } from '../../../src/bugs/mutations.ts';
import { type Mutant, rounded } from './changes.ts';
import type { Json } from './json-changes.ts';

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
const json = (text: string) => readJson(text) as Json;
const rewrite = (response: WireResponse, change: (body: Json) => unknown) => {
  const body = json(response.body);
  response.body = JSON.stringify(change(body) ?? body);
};
const becomes = (response: WireResponse, status: number, code: string, message = 'No.') =>
  Object.assign(response, { status, body: JSON.stringify({ code, message, status }) });
/** A hook that makes the proxy read request bodies. */
const readsBodies = { request: () => {} };
const orders = /^\/v2\/store\/orders(\?|$)/;

/** Boundaries of parameters, and requests that are well-formed but unusual. */
export const ofBoundaries: readonly Mutant[] = [
  {
    name: 'only the first 64 characters of an idempotency key count',
    noticedBy: 'all.values',
    request: onRequest('POST', orders, ({ headers }) => {
      const key = headers['idempotency-key'];
      if (key && key.length > 64 && key.length < 256) headers['idempotency-key'] = key.slice(0, 64);
    }),
  },
  {
    name: 'null in a merge patch is passed over',
    noticedBy: 'all.values',
    request: onRequest('PATCH', /^\/v2\/pets\//, (forwarded) => {
      if (forwarded.headers['content-type']?.includes('merge-patch'))
        forwarded.body = forwarded.body.replace(/"category":null/, '"stock":1');
    }),
  },
  {
    name: 'other types of a webhook are shown, and not sent',
    noticedBy: 'v2.webhooks.other-types',
    ...forgetsTypes(),
  },
  {
    name: 'webhooks are listed newest first',
    noticedBy: 'v2.webhooks.other-types',
    response: onResponse('GET', /^\/v2\/webhooks(\?|$)/, (response) => {
      if (response.status === 200)
        rewrite(response, (page) => ({ ...page, data: (page.data as Json[]).reverse() }));
    }),
  },
  {
    name: 'large is 5,000 orders by default',
    noticedBy: 'v2.sandbox',
    request: onRequest('POST', /sandbox\/(reset|stores)$/, (forwarded) => {
      if (/"dataSet": ?"large"/.test(forwarded.body) && !forwarded.body.includes('"orders"'))
        forwarded.body = forwarded.body.replace(/"large"/, '"large","orders":5000');
    }),
  },
  {
    name: 'today may be the 30th of February',
    noticedBy: 'v2.sandbox',
    request: onRequest('POST', /sandbox\/(reset|stores)$/, (forwarded) => {
      forwarded.body = forwarded.body.replace(/"today": ?"(\d{4})-02-30"/, '"today":"$1-03-02"');
    }),
  },
  {
    name: 'data wins over dataSet',
    noticedBy: 'v2.sandbox.invalid',
    request: onRequest('POST', /sandbox\/(reset|stores)$/, (forwarded) => {
      if (forwarded.body.includes('"data":'))
        forwarded.body = forwarded.body.replace(/"dataSet": ?"\w+",?/, '');
    }),
  },
  {
    name: 'a store may not last a day',
    noticedBy: 'v2.stores',
    response: onResponse('POST', /sandbox\/stores$/, (response, { body }) => {
      if (/"expiresIn": ?86400\b/.test(body)) becomes(response, 400, 'invalid_body');
    }),
    ...readsBodies,
  },
  {
    name: 'a probability of 0 is 1',
    noticedBy: 'v2.faults',
    request: onRequest('PUT', /sandbox\/faults$/, (forwarded) => {
      forwarded.body = forwarded.body.replace(/"probability": ?0([,}])/, '"probability":1$1');
    }),
  },
  {
    name: 'retryAfter of 0 is 1',
    noticedBy: 'v2.faults',
    head: ({ headers }) => {
      if (headers['retry-after'] === '0') headers['retry-after'] = '1';
    },
  },
  {
    name: 'an address of version 2 that is too long is 404',
    noticedBy: 'v1.wire',
    response: (response, { path }) => {
      if (path.startsWith('/v2') && response.status === 414) becomes(response, 404, 'not_found');
    },
  },
  {
    name: 'Link of a category with an ampersand is cut',
    noticedBy: 'all.lists',
    head: ({ headers }, { path }) => {
      if (path.startsWith('/v2/pets')) headers.link &&= headers.link.replace(/%26/g, '&');
    },
  },
  {
    name: 'the tools list orders of any status',
    noticedBy: 'v2.mcp',
    request: onRequest('POST', /^\/mcp$/, (forwarded) => {
      forwarded.body = forwarded.body.replace(/"status": ?\[[^\]]*\],?/, '');
    }),
  },
  {
    name: 'the tools round ids sent as large numbers',
    noticedBy: 'v2.mcp.rounded-ids',
    request: onRequest('POST', /^\/mcp$/, (forwarded) => {
      const rounded = (_: string, start: string, digits: string) => `${start}"${BigInt(Number(digits))}"`;
      forwarded.body = forwarded.body.replace(/(Id": ?)(\d{16,19})(?=[,}])/g, rounded);
    }),
  },
  {
    name: 'weeks begin at 23:00 on Sunday',
    noticedBy: 'v2.summary',
    async response(response, { method, path }, ask) {
      if (method !== 'GET' || !/summary$/.test(path) || response.status !== 200) return;
      const page = json((await ask('GET /v2/store/orders?limit=1000&sort=-shipDate')).body);
      const late = (page.data as Json[]).filter(({ shipDate }) => {
        const date = new Date(String(shipDate));
        return date.getUTCDay() === 0 && date.getUTCHours() === 23;
      });
      if (late.length === 0) return;
      rewrite(response, (summary) => {
        const weeks = summary.weeks as Record<string, number | string>[];
        const [first, second] = weeks;
        if (first && second) Object.assign(second, { pending: Number(second.pending) + 1 });
      });
    },
  },
  {
    name: 'QUERY rounds petId',
    noticedBy: 'v2.exact.inputs',
    request: onRequest('QUERY', orders, (forwarded) => {
      forwarded.body = forwarded.body.replace(/(?<="petId": ?)\d+/, rounded);
    }),
  },
  {
    name: 'placing rounds petId',
    noticedBy: 'v2.exact.inputs',
    request: onRequest('POST', orders, (forwarded) => {
      forwarded.body = forwarded.body.replace(/(?<="petId": ?)\d{16,18}(?=[,}])/, rounded);
    }),
  },
  {
    name: 'a shipment takes its date from a body',
    noticedBy: 'all.changes.shipped',
    response: onResponse('POST', /\/ship$/, (response, { body }) => {
      const date = /"shipDate": ?"([^"]+Z)"/.exec(body)?.[1];
      if (date && response.status === 200) rewrite(response, (order) => ({ ...order, shipDate: date }));
    }),
    ...readsBodies,
  },
  {
    name: 'a cancellation of version 2 has no body',
    noticedBy: 'all.changes.cancelled',
    response: onResponse('DELETE', /^\/v2\/store\/orders\//, (response, { body }) => {
      if (body !== '') becomes(response, 400, 'bad_request');
    }),
    ...readsBodies,
  },
  {
    name: 'force cancels what has shipped in version 2',
    noticedBy: 'all.rejections.states',
    response: onResponse('DELETE', /^\/v2\/store\/orders\/\d+\?.*force=true/, (response) => {
      if (response.status === 409) Object.assign(response, { status: 204, body: '' });
    }),
  },
  {
    name: 'X-HTTP-Method-Override is obeyed',
    noticedBy: 'all.changes',
    request: (forwarded) => {
      const method = forwarded.headers['x-http-method-override'];
      if (method && forwarded.method === 'POST') forwarded.method = method;
    },
  },
  {
    name: 'data may have an order delivered before it was placed',
    noticedBy: 'v2.own-data',
    request: onRequest('POST', /sandbox\/reset$/, (forwarded) => {
      forwarded.body = forwarded.body.replace(/"updatedAt": ?"(19|200)\d+-[^"]*"/, '"updatedAt":null');
    }),
  },
  {
    name: 'data may have a pet twice',
    noticedBy: 'v2.own-data',
    request: onRequest('POST', /sandbox\/reset$/, (forwarded) => {
      forwarded.body = forwarded.body.replace(
        /("pets": ?\[\{"id": ?)(\d+)([^}]*\},\{"id": ?)\2\b/,
        '$1$2$39$2',
      );
    }),
  },
  {
    name: 'the successor of a missing pet is another',
    noticedBy: 'v1.pets.successor-of-errors',
    response: onResponse('GET', /^\/v1\/pets\/\d/, ({ status, headers }) => {
      if (status === 404) headers.link = (headers.link ?? '').replace(/\/v2\/pets\/\d+/, '/v2/pets/1');
    }),
  },
  {
    name: 'an order cancelled in version 1 is missing for a cancellation in version 2',
    noticedBy: 'all.rejections',
    ...forgetsV1Cancellations(),
  },
  {
    name: 'an order that was due is shipped on that date',
    noticedBy: 'all.changes',
    ...keepsPastDates(),
  },
  {
    name: 'Last-Event-ID 0 counts for nothing',
    noticedBy: 'v2.stream.last-event-id',
    request: ({ headers, path }) => {
      if (path.includes('/stream') && headers['last-event-id'] === '0') delete headers['last-event-id'];
    },
  },
  {
    name: 'an escaped id is no order',
    noticedBy: 'all.rejections.states',
    response: (response, { path }) => {
      if (/\/store\/orders\/[^?]*%3\d/.test(path) && response.status !== 401)
        becomes(response, 404, 'not_found');
    },
  },
  {
    name: 'the inspector shows one kilobyte of a request',
    noticedBy: 'v2.inspector.long-body',
    response: onResponse('GET', /store\/requests/, (response) => {
      if (response.status !== 200) return;
      rewrite(response, (page) => ({
        ...page,
        data: (page.data as Json[]).map((entry) => ({
          ...entry,
          requestBody:
            typeof entry.requestBody === 'string' ? entry.requestBody.slice(0, 1024) : entry.requestBody,
        })),
      }));
    }),
  },
  {
    name: 'If-Match is obeyed',
    noticedBy: 'all.operations.other-headers',
    response: (response, { headers, method }) => {
      if ('if-match' in headers && method !== 'OPTIONS' && response.status < 300)
        becomes(response, 412, 'precondition_failed');
    },
  },
  {
    name: 'Range is obeyed',
    noticedBy: 'all.operations.other-headers',
    response: (response, { headers, method }) => {
      if (headers.range?.startsWith('bytes=') && method === 'GET' && response.status === 200)
        Object.assign(response, { status: 206, body: response.body.slice(0, 10) });
    },
  },
];

/** Shows the types that a webhook was given later, which the service does not learn. */
function forgetsTypes(): Pick<Mutant, 'request' | 'response'> {
  const types = new Map<string, unknown>();
  return {
    request: (forwarded) => {
      if (forwarded.method !== 'PATCH' || !/^\/v2\/webhooks\/\w+$/.test(forwarded.path)) return;
      const found = /"types": ?(\["[^\]]*\]),?/.exec(forwarded.body);
      if (!found || /order\.lost/.test(forwarded.body)) return;
      types.set(idIn(forwarded.path), JSON.parse(found[1] ?? '[]'));
      const rest = forwarded.body.replace(found[0], '').replace(/,\s*\}/, '}');
      forwarded.body = rest === '{}' ? '{"active":true}' : rest;
    },
    response: (response, { path }) => {
      if (!path.startsWith('/v2/webhooks') || response.status !== 200 || path.includes('deliveries')) return;
      rewrite(response, (body) => {
        const list = (Array.isArray(body.data) ? body.data : [body]) as Json[];
        for (const hook of list) hook.types = types.get(String(hook.id)) ?? hook.types;
      });
    },
  };
}

function forgetsV1Cancellations(): Pick<Mutant, 'response'> {
  const ids = new Set<string>();
  return {
    response: (response, { method, path }) => {
      if (method !== 'DELETE') return;
      if (path.startsWith('/v1/') && response.status === 204) ids.add(idIn(path));
      if (path.startsWith('/v2/store/orders/') && response.status === 409 && ids.has(idIn(path)))
        becomes(response, 404, 'not_found');
    },
  };
}

/** Shows an order that shipped after its date with that date, everywhere. */
function keepsPastDates(): Pick<Mutant, 'request' | 'response'> {
  const past = new Map<string, string>();
  return {
    request: () => {},
    response: (response, { method, path, body }) => {
      if (method === 'POST' && orders.test(path) && response.status === 201) {
        const date = /"shipDate": ?"((?:19|200)\d[^"]*)"/.exec(body)?.[1];
        if (date) past.set(String(json(response.body).id), new Date(date).toISOString());
      }
      if (!/^\/v[12]\/store\/orders/.test(path) || response.status !== 200 || past.size === 0) return;
      response.body = response.body.replace(
        /\{"id":(\d+),"petId":\d+,"quantity":\d+,"shipDate":"([^"]*)","complete":\w+,"status":"shipped"/g,
        (order, id: string, date: string) => order.replace(date, past.get(id) ?? date),
      );
    },
  };
}
