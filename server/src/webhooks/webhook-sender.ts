import type { IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIPv6, type LookupFunction } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { timeouts } from '../config/timeouts.ts';
import { http } from '../http/server/node-http.ts';
import { headersOfNextSpan } from '../telemetry/traceparent.ts';
import type { Attempt } from './delivery.ts';
import { createNameResolver, type ResolveName } from './name-resolver.ts';
import { hasPrivateHost, isPublicAddress } from './private-addresses.ts';

const IDLE_CONNECTION_MS = 4_000;
const STORED_BODY_BYTES = 1024;
const MAX_BODY_BYTES = 64 * 1024;
/** Each chunk costs CPU time, whatever its size. */
const MAX_BODY_CHUNKS = 100;
const MAX_INFORMATIONAL_RESPONSES = 8;
/** Each of headers, trailers and chunk extensions. */
const MAX_HEADER_BYTES = 16 * 1024;
/** Per attempt: a hostile name server can return thousands. */
const MAX_ADDRESSES = 8;
const STORED_URL_CHARACTERS = 300;

export interface WebhookMessage {
  readonly url: string;
  readonly id: string;
  readonly body: string;
  readonly secrets: readonly string[];
  readonly traceparent?: string | null;
  /** Time of the attempt, which is signed. */
  readonly at: number;
}

export interface WebhookSender {
  /** One attempt. It never rejects: failures are part of the attempt. */
  send(message: WebhookMessage, signal?: AbortSignal): Promise<Attempt>;
  close(): void;
}

export interface SenderOptions {
  readonly allowPrivate: boolean;
  readonly resolve?: ResolveName;
}

/** Sends Standard Webhooks messages. Receivers are hostile: time, memory and CPU of an attempt are bounded. */
export function createWebhookSender({
  allowPrivate,
  resolve = createNameResolver(),
}: SenderOptions): WebhookSender {
  // No limit per host: several webhooks may share one.
  const options = { keepAlive: true, timeout: IDLE_CONNECTION_MS };
  const agents = { 'http:': new http.Agent(options), 'https:': new https.Agent(options) };

  /** Runs for every connection, and rejects hosts without a public address unless private ones are allowed. */
  async function usableAddresses(host: string) {
    const addresses = await resolve(host);
    const usable = allowPrivate ? addresses : addresses.filter(isPublicAddress);
    if (usable.length === 0) throw new Error(NOT_PUBLIC);
    return usable.slice(0, MAX_ADDRESSES).map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  }

  const lookup: LookupFunction = (host, { all }, callback) => {
    usableAddresses(host).then(
      (usable) => {
        const [first] = usable;
        if (all) callback(null, usable);
        else callback(null, first?.address ?? '', first?.family);
      },
      (error) => callback(error, ''),
    );
  };

  async function post(message: WebhookMessage, signal: AbortSignal) {
    const target = new URL(message.url);
    // Literal addresses bypass `lookup`.
    if (!allowPrivate && hasPrivateHost(target)) throw new Error(NOT_PUBLIC);
    const { request } = target.protocol === 'https:' ? https : http;
    const agent = agents[target.protocol as 'http:' | 'https:'];
    const connection = { signal, agent, lookup, maxHeaderSize: MAX_HEADER_BYTES };
    return new Promise<Outcome>((resolve, reject) => {
      let informational = 0;
      let hasResponse = false;
      const outgoing = request(target, { method: 'POST', headers: headersOf(message), ...connection });
      outgoing
        .on('information', () => {
          if (++informational > MAX_INFORMATIONAL_RESPONSES)
            outgoing.destroy(new Error(`more than ${MAX_INFORMATIONAL_RESPONSES} informational responses`));
        })
        .on('response', (response) => {
          hasResponse = true;
          const status = response.statusCode ?? null;
          readBeginning(response).then((answer) => resolve({ status, answer, error: null }), reject);
        })
        .on('error', reject)
        .on('close', () => hasResponse || reject(new Error('the connection was closed without a response')))
        .end(message.body);
    });
  }

  return {
    async send(message, signal) {
      const { url, at } = message;
      const started = performance.now();
      const attemptSignal = AbortSignal.any([
        AbortSignal.timeout(timeouts.attemptTimeoutMs),
        ...(signal ? [signal] : []),
      ]);
      const outcome = await post(message, attemptSignal).catch((error) =>
        failure(attemptSignal.aborted ? attemptSignal.reason : error),
      );
      const durationMs = Math.round(performance.now() - started);
      return attemptOf({ url, at }, durationMs, outcome);
    },

    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

type Outcome = Pick<Attempt, 'status' | 'answer' | 'error'>;

export function attemptOf(
  { url, at }: Pick<WebhookMessage, 'url' | 'at'>,
  durationMs: number,
  outcome: Outcome,
): Attempt {
  return { at: new Date(at).toISOString(), url: url.slice(0, STORED_URL_CHARACTERS), durationMs, ...outcome };
}

export function failure(error: unknown): Outcome {
  return { status: null, answer: null, error: reasonOf(error) };
}

function headersOf({ id, body, secrets, traceparent, at }: WebhookMessage): Record<string, string> {
  const seconds = Math.floor(at / 1000);
  const signatures = secrets.map((secret) => new Webhook(secret).sign(id, new Date(seconds * 1000), body));
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signatures.join(' '),
    'user-agent': 'petstore-webhooks',
    ...(traceparent && headersOfNextSpan(traceparent)),
  };
}

/** The beginning of the body. Closes the connection if the body has too many bytes or chunks. */
async function readBeginning(response: IncomingMessage): Promise<string> {
  const stored: Buffer[] = [];
  let [bytes, chunks] = [0, 0];
  await new Promise<void>((resolve, reject) => {
    response
      // Not an iterator: that joins chunks that arrive together, so they could not be counted.
      .on('data', (chunk: Buffer) => {
        if (bytes < STORED_BODY_BYTES) stored.push(chunk.subarray(0, STORED_BODY_BYTES - bytes));
        bytes += chunk.length;
        if (bytes <= MAX_BODY_BYTES && ++chunks < MAX_BODY_CHUNKS) return;
        resolve();
        // Paused, because a destroyed stream still emits its buffered chunks.
        response.pause().destroy();
      })
      .on('end', resolve)
      .on('error', reject)
      .on('close', () => reject(new Error('the connection was closed before the end of the response')));
  });
  return Buffer.concat(stored).toString('utf8').replaceAll('\0', '\uFFFD');
}

const NOT_PUBLIC = 'the address is not public';

function reasonOf(error: unknown): string {
  const { name, message, code } = error as Error & { code?: string };
  if (name === 'TimeoutError') return `no response within ${timeouts.attemptTimeoutMs / 1000} seconds`;
  return (message || code || name).slice(0, 200);
}
