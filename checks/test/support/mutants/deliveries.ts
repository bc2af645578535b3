import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { readJson } from '../../../src/bugs/mutations.ts';
import type { Mutant } from './changes.ts';
import type { Json } from './json-changes.ts';

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
];

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
