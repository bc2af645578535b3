import { lookup as lookUp } from 'node:dns';
import type { IncomingMessage } from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { http } from '../http/server/node-http.ts';
import { nextSpan } from '../traceparent.ts';
import type { Attempt } from './delivery.ts';
import { hasPrivateHost, isPublicAddress } from './private-addresses.ts';

const TIMEOUT_MS = 15_000;
const KEPT_IDLE_MS = 4_000;
const KEPT_ANSWER_BYTES = 1024;
const MOST_ANSWER_BYTES = 64 * 1024;
const KEPT_URL_CHARACTERS = 300;

export interface WebhookMessage {
  readonly url: string;
  readonly id: string;
  readonly body: string;
  readonly secrets: readonly string[];
  readonly traceparent?: string | null;
}

export type Resolve = typeof lookUp;

interface SenderOptions {
  readonly allowPrivate: boolean;
  readonly now: () => number;
  readonly resolve?: Resolve | undefined;
}

export type WebhookSender = ReturnType<typeof openWebhookSender>;

/** Sends messages in the form of Standard Webhooks. Whatever a receiver does costs bounded time and memory. */
export function openWebhookSender({ allowPrivate, now, resolve = lookUp }: SenderOptions) {
  // Nothing waits here for a connection: behind the same address there are other webhooks.
  const agents = {
    'http:': new http.Agent({ keepAlive: true, timeout: KEPT_IDLE_MS }),
    'https:': new https.Agent({ keepAlive: true, timeout: KEPT_IDLE_MS }),
  };

  /** Finds public addresses only. It is asked at every connection, whatever a name meant before. */
  const lookup: LookupFunction = (host, options, callback) =>
    resolve(host, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '');
      const usable = allowPrivate ? addresses : addresses.filter(({ address }) => isPublicAddress(address));
      const [first] = usable;
      if (!first) return callback(new Error(NOT_PUBLIC), '');
      if (options.all) callback(null, usable);
      else callback(null, first.address, first.family);
    });

  async function post(message: WebhookMessage, at: number, signal: AbortSignal) {
    const target = new URL(message.url);
    // An address that is written out is never looked up.
    if (!allowPrivate && hasPrivateHost(target)) throw new Error(NOT_PUBLIC);
    const { request } = target.protocol === 'https:' ? https : http;
    const agent = agents[target.protocol as 'http:' | 'https:'];
    const headers = headersOf(message, at);
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      request(target, { method: 'POST', headers, signal, agent, lookup })
        .on('response', resolve)
        .on('error', reject)
        .on('close', () => reject(new Error('the connection was closed without an answer')))
        .end(message.body);
    });
    return { status: answer.statusCode ?? null, answer: await beginningOf(answer), error: null };
  }

  return {
    /** One try. It never fails: what went wrong is part of what is told of it. */
    async send(message: WebhookMessage, signal?: AbortSignal): Promise<Attempt> {
      const at = now();
      const started = performance.now();
      const limit = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...(signal ? [signal] : [])]);
      const outcome = await post(message, at, limit).catch((error) => ({
        status: null,
        answer: null,
        error: reasonOf(limit.aborted ? limit.reason : error),
      }));
      const durationMs = Math.round(performance.now() - started);
      const url = message.url.slice(0, KEPT_URL_CHARACTERS);
      return { at: new Date(at).toISOString(), url, durationMs, ...outcome };
    },

    close(): void {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

function headersOf({ id, body, secrets, traceparent }: WebhookMessage, at: number): Record<string, string> {
  const seconds = Math.floor(at / 1000);
  const signatures = secrets.map((secret) => new Webhook(secret).sign(id, new Date(seconds * 1000), body));
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signatures.join(' '),
    'user-agent': 'petstore-webhooks',
    ...(traceparent && { traceparent: nextSpan(traceparent) }),
  };
}

async function beginningOf(body: IncomingMessage): Promise<string> {
  const kept: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    if (length < KEPT_ANSWER_BYTES) kept.push(chunk.subarray(0, KEPT_ANSWER_BYTES - length));
    length += chunk.length;
    if (length > MOST_ANSWER_BYTES) break;
  }
  return Buffer.concat(kept).toString('utf8').replaceAll('\0', '\uFFFD');
}

const NOT_PUBLIC = 'the address is not public';

function reasonOf(error: unknown): string {
  const { name, message, code } = error as Error & { code?: string };
  if (name === 'TimeoutError') return `no answer within ${TIMEOUT_MS / 1000} seconds`;
  return (message || code || name).slice(0, 200);
}
