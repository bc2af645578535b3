import type { ForwardedRequest, WireResponse } from '../../../src/bugs/bug.ts';
import { becomes, inStatus, inText, type Mutant, sets, whenever } from './changes.ts';

const hourLater = (field: string) => (text: string) =>
  text.replace(
    new RegExp(`"${field}":"([^"]*)"`, 'g'),
    (_, at: string) => `"${field}":"${new Date(Date.parse(at) + 3_600_000).toISOString()}"`,
  );
const onRequest =
  (method: string, path: RegExp, change: (forwarded: ForwardedRequest) => void) =>
  (forwarded: ForwardedRequest) => {
    if (forwarded.method === method && path.test(forwarded.path)) change(forwarded);
  };
const onPath =
  (path: RegExp, change: (response: WireResponse, forwarded: ForwardedRequest) => void) =>
  (response: WireResponse, forwarded: ForwardedRequest) => {
    if (path.test(forwarded.path)) change(response, forwarded);
  };

/** Collections, limits, documents and what a read key may do. */
export const ofCollections: readonly Mutant[] = [
  {
    name: 'an event of the stream is in two lines',
    noticedBy: 'v2.stream',
    event: (text) => text.replace(/,"type"/, '\ndata: ,"type"'),
  },
  {
    name: 'the stream may be cached',
    noticedBy: 'all.responses.standing',
    head: ({ headers }, { path }) => {
      if (path.includes('/stream')) headers['cache-control'] = 'max-age=60';
    },
  },
  {
    name: 'a message is longer than documented',
    noticedBy: 'all.responses.bodies',
    response: inStatus(404, (response) => {
      response.body = response.body.replace(/"message":"/, `"message":"${'x'.repeat(600)}`);
    }),
  },
  {
    name: 'rateLimit null does not lift the limit',
    noticedBy: 'v2.security.rate-limit',
    request: onRequest('POST', /sandbox/, (forwarded) => {
      forwarded.body = forwarded.body.replace(/,?"rateLimit": ?null/, '');
    }),
  },
  {
    name: 'a new store ends an hour later',
    noticedBy: 'v2.stores.create',
    response: inText(/sandbox\/stores$/, hourLater('expiresAt')),
  },
  {
    name: 'a fault has fired once more',
    noticedBy: 'v2.faults.times',
    response: inText(/sandbox\/faults$/, (text) =>
      text.replace(/"fired":(\d+)/g, (_, n: string) => `"fired":${Number(n) + 1}`),
    ),
  },
  {
    name: 'now does not change the times of an order',
    noticedBy: 'v2.faults.now',
    request: onRequest('POST', /\/v2\/store/, ({ headers }) => {
      if (headers.prefer?.includes('now')) delete headers.prefer;
    }),
  },
  {
    name: 'now is not named in Preference-Applied',
    noticedBy: 'v2.faults.now',
    response: whenever(
      (_, { headers }) => /now=/.test(headers.prefer ?? ''),
      ({ headers }) => {
        delete headers['preference-applied'];
      },
    ),
  },
  {
    name: 'the list of webhooks has the first one only',
    noticedBy: 'v2.webhooks.list',
    response: inText(/\/webhooks$/, (text) => {
      const page = JSON.parse(text) as { data?: unknown[] };
      return page.data ? JSON.stringify({ ...page, data: page.data.slice(0, 1) }) : text;
    }),
  },
  {
    name: 'a category is found in any case',
    noticedBy: 'v2.edges.unicode',
    request: onRequest('GET', /\/v2\/pets\?.*category=/, (forwarded) => {
      forwarded.path = forwarded.path.replace(/category=[^&]*/, (found) => found.toLowerCase());
    }),
  },
  {
    name: 'an empty change of a pet is 200',
    noticedBy: 'all.inputs.fields',
    response: onPath(/^\/v2\/pets\/\d+$/, (response, { method, body }) => {
      if (method === 'PATCH' && /^\s*\{\s*\}\s*$/.test(body))
        Object.assign(response, {
          status: 200,
          body: '{"id":1,"name":"A","category":"b","status":"sold","stock":0}',
        });
    }),
    request: () => {},
  },
  {
    name: 'a body of 60,000 characters is too large',
    noticedBy: 'all.inputs.size',
    response: (response, { body }) => {
      if (body.length > 60_000 && body.length < 65_537)
        Object.assign(response, {
          status: 413,
          body: '{"code":"payload_too_large","message":"Too large.","status":413}',
        });
    },
    request: () => {},
  },
  {
    name: 'the document of version 2 names other servers',
    noticedBy: 'all.editions.openapi',
    response: inText(/^\/v2\/openapi.*json/, (text) =>
      text.replace(/"servers": ?\[[^\]]*\]/, '"servers":[{"url":"https://pets.example/v3"}]'),
    ),
  },
  {
    name: '/readyz is 500',
    noticedBy: 'all.editions.api-catalog',
    response: onPath(/^\/readyz/, (response) => {
      response.status = 500;
    }),
  },
  {
    name: '/docs/v2 is 404',
    noticedBy: 'all.editions.api-catalog',
    response: onPath(/^\/docs\/v2/, (response) => {
      response.status = 404;
    }),
  },
  {
    name: 'events after the last one are 400',
    noticedBy: 'v2.events.beyond',
    response: onPath(/events\?.*after=\d{12,}/, becomes(400)),
  },
  {
    name: 'a key that may only read may not QUERY',
    noticedBy: 'v2.read-key.reads',
    response: (response, { method }) => {
      if (method === 'QUERY') becomes(403)(response);
    },
  },
  {
    name: 'the sunset is not exposed to browsers',
    noticedBy: 'v1.cors.exposed-headers',
    response: whenever(
      ({ headers }) => 'access-control-expose-headers' in headers,
      ({ headers }) => {
        headers['access-control-expose-headers'] = (headers['access-control-expose-headers'] ?? '').replace(
          'Sunset, ',
          '',
        );
      },
    ),
  },
  {
    name: 'a page of pets has ten by default',
    noticedBy: 'all.inputs.outermost',
    request: onRequest('GET', /^\/v2\/pets(\?|$)/, (forwarded) => {
      if (!forwarded.path.includes('limit='))
        forwarded.path += `${forwarded.path.includes('?') ? '&' : '?'}limit=10`;
    }),
  },
  {
    name: 'a page of events has ten by default',
    noticedBy: 'all.inputs.outermost',
    request: onRequest('GET', /^\/v2\/store\/events(\?|$)/, (forwarded) => {
      if (!forwarded.path.includes('limit='))
        forwarded.path += `${forwarded.path.includes('?') ? '&' : '?'}limit=10`;
    }),
  },
  {
    name: 'HEAD of a missing order is 200',
    noticedBy: 'all.operations.head',
    response: (response, { method, path }) => {
      if (method === 'HEAD' && /v2\/store\/orders\/\d+/.test(path)) response.status = 200;
    },
  },
  {
    name: 'a delivery that is not there can be sent again',
    noticedBy: 'all.operations.missing',
    response: onPath(/redeliver$/, (response) => {
      if (response.status === 404) response.status = 202;
    }),
  },
  {
    name: 'the Date is a day late',
    noticedBy: 'v2.orders.ship-date',
    response: whenever(
      () => true,
      (response) => {
        response.headers.date = new Date(Date.now() - 86_400_000).toUTCString();
      },
    ),
  },
  {
    name: 'a reset says seed 1',
    noticedBy: 'v2.sandbox.large',
    response: inText(/sandbox\/reset/, (text) => text.replace(/"seed":\d+/, '"seed":1')),
  },
  {
    name: 'a webhook has another creation time at each read',
    noticedBy: 'v2.webhooks.list',
    response: inText(/\/webhooks/, (text) =>
      text.replace(/"createdAt":"[^"]*"/g, `"createdAt":"${new Date().toISOString()}"`),
    ),
  },
  {
    name: 'durations are negative',
    noticedBy: 'all.responses.bodies',
    response: inText(/deliveries|requests/, (text) => text.replace(/"durationMs":/g, '"durationMs":-')),
  },
  {
    name: 'exported data have no placedAt',
    noticedBy: 'all.responses.bodies',
    response: inText(/sandbox\/data/, (text) => text.replace(/,"placedAt":"[^"]*"/g, '')),
  },
  {
    name: 'the revision of a reset is one too low',
    noticedBy: 'v2.sandbox.revision',
    response: inText(/sandbox\/reset/, (text) =>
      text.replace(/"revision":(\d+)/, (_, n: string) => `"revision":${Number(n) - 1}`),
    ),
  },
  {
    name: 'errors of v2 name a charset',
    noticedBy: 'all.responses.bodies',
    response: (response, { path }) => {
      if (path.startsWith('/v2') && response.status >= 400)
        sets('content-type', 'application/json; charset=iso-8859-1')(response);
    },
  },
  {
    name: 'Accept-Ranges is offered',
    noticedBy: 'all.operations.conditional',
    response: whenever(({ status }) => status === 200, sets('accept-ranges', 'bytes')),
  },
  {
    name: 'pets of v1 are cached publicly',
    noticedBy: 'v1.caching.cache-control',
    response: onPath(/^\/v1\/pets/, sets('cache-control', 'public, max-age=60')),
  },
  {
    name: 'a placed order is listed only with limit',
    noticedBy: 'v2.pages.default-limit',
    response: inText(/^\/v2\/store\/orders$/, (text) => text.replace(/,\{[^{}]*\}\]/, ']')),
  },
];
