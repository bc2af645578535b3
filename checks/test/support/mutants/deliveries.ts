import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { readJson } from '../../../src/bugs/mutations.ts';
import type { Mutant } from './changes.ts';
import { inPage, type Json } from './json-changes.ts';

interface Webhook {
  readonly target: string;
  readonly secret: string;
  /** The service believes that it is active. */
  isInactive: boolean;
}

type Headers = Record<string, string>;

interface Relayed {
  readonly webhook: Webhook;
  readonly body: string;
  readonly headers: Headers;
  /** Sends it to the receiver, with these headers; returns the status. */
  forward(headers?: Headers): Promise<number>;
}

/** Returns the status for the service. */
type Handle = (message: Relayed) => Promise<number> | number;

const relayPath = /http:\/\/127\.0\.0\.1:\d+\/relay\?([^"]+)/g;

/** Messages to webhooks pass through a server that may hold or change them. The service learns nothing of `active`. */
function relays(
  handle: Handle,
  onActive: (webhook: Webhook) => void = () => {},
): Pick<Mutant, 'request' | 'response'> {
  const webhooks = new Map<string, Webhook>();
  const server = createServer(async (incoming, res) => {
    const target = decodeURIComponent(incoming.url?.split('?')[1] ?? '');
    const body = await text(incoming);
    const webhook = [...webhooks.values()].find((one) => one.target === target);
    const headers = incoming.headers as Headers;
    const forward = (changed: Headers = {}) => post(target, body, { ...headers, ...changed });
    const status = webhook ? await handle({ webhook, body, headers, forward }) : await forward();
    res.writeHead(status).end();
  });
  let port: Promise<number> | undefined;
  const listen = async () => {
    server.listen(0, '127.0.0.1').unref();
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  return {
    async request(forwarded) {
      if (!/^\/v2\/webhooks(\/\w+)?$/.test(forwarded.path) || !/"url"|"active"/.test(forwarded.body)) return;
      port ??= listen();
      const relay = `http://127.0.0.1:${await port}/relay?`;
      forwarded.body = forwarded.body
        .replace(/"url":"([^"]*)"/, (_, url: string) => `"url":"${relay}${encodeURIComponent(url)}"`)
        .replace(/"active":false/, '"active":true');
    },
    response(response, { method, path, body }) {
      response.body = response.body.replace(relayPath, (_, target: string) => decodeURIComponent(target));
      const changed = /^\/v2\/webhooks(\/\w+)?$/.test(path) && response.status < 300 && method !== 'DELETE';
      if (!changed || method === 'GET') return;
      const shown = readJson(response.body) as Json;
      const { id, url, secret = webhooks.get(String(shown.id))?.secret } = shown;
      const isInactive = /"active":false/.test(body);
      const webhook = { target: String(url), secret: String(secret), isInactive };
      webhooks.set(String(id), webhook);
      if (isInactive) response.body = JSON.stringify({ ...shown, active: false });
      else onActive(webhook);
    },
  };
}

/** The headers of this message with another id. */
function renamed({ webhook, body, headers }: Relayed, id: string): Headers {
  const key = Buffer.from(webhook.secret.replace(/^whsec_/, ''), 'base64');
  const content = `${id}.${headers['webhook-timestamp']}.${body}`;
  const signature = `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
  return { 'webhook-id': id, 'webhook-signature': signature };
}

async function post(target: string, body: string, headers: Headers): Promise<number> {
  const { host: _, ...others } = headers;
  const outgoing = send(target, { method: 'POST', headers: others, agent: false });
  outgoing.end(body);
  const [response] = await once(outgoing, 'response');
  response.resume();
  return response.statusCode;
}

/** What is sent to webhooks, and when. */
export const ofDeliveries: readonly Mutant[] = [
  {
    name: 'a retry has a webhook-id of its own',
    noticedBy: 'v2.webhooks.retry',
    ...inRetries((message) => renamed(message, 'msg_of_a_retry')),
  },
  {
    name: 'a retry has the time and signature of the first attempt',
    noticedBy: 'v2.webhooks.retry',
    ...inRetries((_, { 'webhook-timestamp': time = '', 'webhook-signature': signature = '' }) => ({
      'webhook-timestamp': time,
      'webhook-signature': signature,
    })),
  },
  {
    name: 'a redelivery has the time and signature of the first delivery',
    noticedBy: 'v2.webhooks.redelivery-headers',
    ...repeatsSignatures(),
  },
  {
    name: 'a signature is of the text with escapes for what is not ASCII',
    noticedBy: 'v2.webhooks.every-type',
    ...relays((message) => {
      const escaped = message.body.replace(
        /[^\0-\x7f]/g,
        (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
      const { 'webhook-id': id = '' } = message.headers;
      return message.forward(escaped === message.body ? {} : renamed({ ...message, body: escaped }, id));
    }),
  },
  {
    name: 'a reactivated webhook gets what it missed',
    noticedBy: 'v2.webhooks.reactivated',
    ...sendsWhatWasMissed(),
  },
  {
    name: 'an inactive webhook gets tests',
    noticedBy: 'v2.webhooks.waiting',
    ...relays(({ webhook, body, forward }) =>
      webhook.isInactive && !body.includes('webhook.test') ? 204 : forward(),
    ),
  },
  {
    name: 'a redelivery continues the schedule of the failed attempts',
    noticedBy: 'v2.webhooks.outcomes',
    ...inDeliveries((delivery) => {
      const { attempts, nextAttemptAt } = delivery;
      if ((attempts as Json[]).length < 2 || nextAttemptAt === null) return delivery;
      const later = new Date(Date.parse(String(nextAttemptAt)) + 300_000);
      return { ...delivery, nextAttemptAt: later.toISOString() };
    }),
  },
  {
    name: 'a 4xx other than 410 is not retried',
    noticedBy: 'v2.webhooks.outcomes',
    ...inDeliveries((delivery) => {
      const { status } = (delivery.attempts as Json[]).at(-1) ?? {};
      const isRejected = Number(status) >= 400 && Number(status) < 500;
      return isRejected ? { ...delivery, status: 'failed', nextAttemptAt: null } : delivery;
    }),
  },
  {
    name: 'only 200 to 204 are a success',
    noticedBy: 'v2.webhooks.outcomes',
    ...relays(async ({ forward }) => {
      const status = await forward();
      return status > 204 && status < 300 ? 500 : status;
    }),
  },
  {
    name: 'the last five attempts are listed',
    noticedBy: 'v2.webhooks.outcomes',
    ...inDeliveries((delivery) => ({ ...delivery, attempts: (delivery.attempts as Json[]).slice(-5) })),
  },
  {
    name: 'every attempt has an answer',
    noticedBy: 'v2.webhooks.outcomes',
    ...inAttempts((attempt) => ({ ...attempt, answer: attempt.answer ?? 'answer ' })),
  },
  {
    name: 'an attempt without a response has the status 599',
    noticedBy: 'v2.webhooks.no-response',
    ...inAttempts((attempt) => ({ ...attempt, status: attempt.status ?? 599 })),
  },
  {
    name: 'an attempt without a response has no error',
    noticedBy: 'v2.webhooks.no-response',
    ...inAttempts((attempt) => ({ ...attempt, error: null })),
  },
  {
    name: 'an attempt shows the whole URL',
    noticedBy: 'v2.webhooks.no-response',
    ...inAttempts((attempt) => ({ ...attempt, url: String(attempt.url).padEnd(301, 'x') })),
  },
  {
    name: 'earlier attempts show the new URL',
    noticedBy: 'v2.webhooks.no-response',
    ...inDeliveries((delivery) => {
      const attempts = delivery.attempts as Json[];
      const { url } = attempts.at(-1) ?? {};
      return { ...delivery, attempts: attempts.map((attempt) => ({ ...attempt, url })) };
    }),
  },
  {
    name: 'all deliveries run at once',
    noticedBy: 'v2.webhooks.at-a-time',
    ...relays(({ forward }) => {
      forward().catch(() => {});
      return 204;
    }),
  },
  {
    name: 'a redelivery waits for the attempt in progress',
    noticedBy: 'v2.webhooks.redelivery-during-attempt',
    ...oneAfterTheOther(),
  },
  {
    name: 'a webhook may have any number of unfinished deliveries',
    noticedBy: 'v2.webhooks.unfinished',
    async response(response, { path }, callService) {
      if (response.status !== 409 || !/\/(test|redeliver)$/.test(path)) return;
      const list = path.replace(/deliveries.*|test$/, 'deliveries?limit=1');
      const [delivery] = (readJson((await callService(`GET ${list}`)).body) as { data: Json[] }).data;
      Object.assign(response, { status: 202, body: JSON.stringify(delivery) });
    },
  },
  {
    name: 'at the limit, unfinished deliveries cannot be redelivered',
    noticedBy: 'v2.webhooks.unfinished',
    async response(response, { path }, callService) {
      if (response.status !== 202 || !path.endsWith('/redeliver')) return;
      const test = await callService(`POST ${path.replace(/deliveries.*/, 'test')}`);
      if (test.status === 409) Object.assign(response, test);
    },
  },
  {
    name: 'only orders pass on their trace',
    noticedBy: 'v2.webhooks.traces',
    request: ({ path, headers }) => {
      if (!path.includes('orders')) delete headers.traceparent;
    },
  },
  {
    name: 'an order cancelled in version 1 has no trace',
    noticedBy: 'v2.webhooks.traces',
    request: ({ path, headers }) => {
      if (path.startsWith('/v1')) delete headers.traceparent;
    },
  },
  {
    name: 'an invalid trace is replaced by a new one',
    noticedBy: 'v2.webhooks.traces',
    request: ({ headers }) => {
      const { traceparent } = headers;
      if (traceparent && !/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/.test(traceparent))
        headers.traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    },
  },
  {
    name: 'tracestate comes without traceparent',
    noticedBy: 'v2.webhooks.traces',
    request: ({ headers }) => {
      if (headers.tracestate) headers.traceparent ??= `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    },
  },
  {
    name: 'tracestate has up to 256 characters',
    noticedBy: 'v2.webhooks.traces',
    request: ({ headers }) => {
      if ((headers.tracestate?.length ?? 0) > 256)
        headers.tracestate = headers.tracestate?.split(',')[0] ?? '';
    },
  },
  {
    name: 'ids of deliveries are counted from 0',
    noticedBy: 'v2.webhooks.newest-first',
    ...inDeliveries((delivery) => ({ ...delivery, id: Number(delivery.id) - 1 })),
  },
  {
    name: 'after 410 a delivery stays pending',
    noticedBy: 'v2.webhooks.410',
    ...inDeliveries((delivery) => ({ ...delivery, status: 'pending' })),
  },
  {
    name: 'a message goes to the URL without its query',
    noticedBy: 'v2.webhooks.every-type',
    ...relays(({ webhook, body, headers }) => post(webhook.target.replace(/\?.*/, ''), body, headers)),
  },
  {
    name: 'a deleted webhook gets its retries',
    noticedBy: 'v2.webhooks.retry',
    ...retriesAfterDeletion(),
  },
  {
    name: 'a redelivery says that it is delivered',
    noticedBy: 'v2.webhooks.responses',
    response: (response, { path }) => {
      if (path.endsWith('/redeliver'))
        response.body = response.body.replace('"status":"pending"', '"status":"delivered"');
    },
  },
  {
    name: 'the event of a delivery is a day late',
    noticedBy: 'v2.webhooks.deliveries',
    ...inDeliveries((delivery) => {
      const event = delivery.event as Json;
      const at = new Date(Date.parse(String(event.at)) + 86_400_000).toISOString();
      return { ...delivery, event: { ...event, at } };
    }),
  },
  {
    name: 'a new webhook is years old',
    noticedBy: 'v2.webhooks.create',
    response: (response, { path }) => {
      if (path === '/v2/webhooks')
        response.body = response.body.replace(/"createdAt":"\d{4}/g, '"createdAt":"1999');
    },
  },
  {
    name: 'the list of webhooks has a cursor',
    noticedBy: 'v2.webhooks.list',
    response: (response, { path }) => {
      if (path === '/v2/webhooks')
        response.body = response.body.replace('"nextCursor":null', '"nextCursor":"a"');
    },
  },
];

/** Changes each delivery of a list. */
function inDeliveries(change: (delivery: Json) => Json): Pick<Mutant, 'response'> {
  const { response: changePage } = inPage((deliveries) => deliveries.map(change));
  return {
    response: (response, forwarded, callService) =>
      /\/deliveries(\?|$)/.test(forwarded.path) && changePage?.(response, forwarded, callService),
  };
}

function inAttempts(change: (attempt: Json) => Json): Pick<Mutant, 'response'> {
  return inDeliveries((delivery) => ({ ...delivery, attempts: (delivery.attempts as Json[]).map(change) }));
}

function oneAfterTheOther(): Pick<Mutant, 'request' | 'response'> {
  let last: Promise<unknown> = Promise.resolve();
  return relays(({ forward }) => {
    const sent = last.then(() => forward());
    last = sent.catch(() => {});
    return sent;
  });
}

/** Sends a message that failed again, after its webhook was deleted. */
function retriesAfterDeletion(): Pick<Mutant, 'request' | 'response'> {
  const failed = new Map<string, () => Promise<number>>();
  const { request, response } = relays(async ({ webhook, forward }) => {
    const status = await forward();
    if (status >= 300 && webhook.target.includes('deleted')) failed.set(webhook.target, forward);
    return status;
  });
  return {
    ...(request && { request }),
    response(received, forwarded, callService) {
      if (forwarded.method === 'DELETE' && forwarded.path.startsWith('/v2/webhooks/')) {
        for (const forward of failed.values()) void forward();
        failed.clear();
      }
      return response?.(received, forwarded, callService);
    },
  };
}

function repeatsSignatures(): Pick<Mutant, 'request' | 'response'> {
  const signed = new Map<string, Headers>();
  return relays(({ headers, forward }) => {
    const {
      'webhook-id': id = '',
      'webhook-timestamp': timestamp = '',
      'webhook-signature': signature = '',
    } = headers;
    const first = signed.get(id) ?? { 'webhook-timestamp': timestamp, 'webhook-signature': signature };
    signed.set(id, first);
    return forward(first);
  });
}

/** Changes the headers of a retry. */
function inRetries(
  change: (retry: Relayed, first: Headers) => Headers,
): Pick<Mutant, 'request' | 'response'> {
  const failed = new Map<string, Headers>();
  return relays(async (message) => {
    const { body, headers, forward } = message;
    const first = failed.get(body);
    const status = await forward(first && change(message, first));
    if (status >= 300) failed.set(body, first ?? headers);
    return status;
  });
}

function sendsWhatWasMissed(): Pick<Mutant, 'request' | 'response'> {
  let held: Relayed[] = [];
  return relays(
    (message) => {
      if (!message.webhook.isInactive) return message.forward();
      held.push(message);
      return 204;
    },
    () => {
      for (const { forward } of held) void forward();
      held = [];
    },
  );
}
