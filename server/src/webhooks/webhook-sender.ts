import type { IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIPv6, type LookupFunction } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { timeouts } from '../config/timeouts.ts';
import { http } from '../http/server/node-http.ts';
import { headersOfNextSpan } from '../telemetry/traceparent.ts';
import type { Attempt } from './delivery.ts';
import { openNameResolver, type ResolveName } from './name-resolver.ts';
import { hasPrivateHost, isPublicAddress } from './private-addresses.ts';

const IDLE_CONNECTION_MS = 4_000;
const STORED_BODY_BYTES = 1024;
const MAX_BODY_BYTES = 64 * 1024;
/** Chunks cost processor time whatever their size. */
const MAX_BODY_CHUNKS = 100;
const MAX_INFORMATIONAL_RESPONSES = 8;
/** Of the headers, and again of the trailers and of the extensions of a chunk. */
const MAX_HEADER_BYTES = 16 * 1024;
/** Addresses of a name that one attempt may connect to: a name server can send thousands, of any host. */
const MAX_ADDRESSES = 8;
const STORED_URL_CHARACTERS = 300;

export interface WebhookMessage {
  readonly url: string;
  readonly id: string;
  readonly body: string;
  readonly secrets: readonly string[];
  readonly traceparent?: string | null;
  /** When it is sent, in milliseconds since 1970: part of what is signed. */
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

/** Sends messages in the form of Standard Webhooks. Whatever a receiver does costs bounded time, memory and work. */
export function openWebhookSender({
  allowPrivate,
  resolve = openNameResolver(),
}: SenderOptions): WebhookSender {
  // No limit on connections per host: other webhooks may be behind the same address.
  const options = { keepAlive: true, timeout: IDLE_CONNECTION_MS };
  const agents = { 'http:': new http.Agent(options), 'https:': new https.Agent(options) };

  /** Finds public addresses only. Called for every connection, whatever the name resolved to before. */
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
    // A literal address is never looked up.
    if (!allowPrivate && hasPrivateHost(target)) throw new Error(NOT_PUBLIC);
    const { request } = target.protocol === 'https:' ? https : http;
    const agent = agents[target.protocol as 'http:' | 'https:'];
    const connection = { signal, agent, lookup, maxHeaderSize: MAX_HEADER_BYTES };
    return new Promise<Outcome>((resolve, reject) => {
      let informational = 0;
      let hasResponse = false;
      const sent = request(target, { method: 'POST', headers: headersOf(message), ...connection });
      sent
        .on('information', () => {
          if (++informational > MAX_INFORMATIONAL_RESPONSES)
            sent.destroy(new Error(`more than ${MAX_INFORMATIONAL_RESPONSES} informational responses`));
        })
        .on('response', (response) => {
          hasResponse = true;
          const status = response.statusCode ?? null;
          beginningOf(response).then((answer) => resolve({ status, answer, error: null }), reject);
        })
        .on('error', reject)
        .on('close', () => hasResponse || reject(new Error('the connection was closed without an answer')))
        .end(message.body);
    });
  }

  return {
    async send(message, signal) {
      const { url, at } = message;
      const started = performance.now();
      const limit = AbortSignal.any([
        AbortSignal.timeout(timeouts.attemptTimeoutMs),
        ...(signal ? [signal] : []),
      ]);
      const outcome = await post(message, limit).catch((error) =>
        failure(limit.aborted ? limit.reason : error),
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

/** Reads until the end, or until the body has too many bytes or chunks: the connection is closed then. */
async function beginningOf(response: IncomingMessage): Promise<string> {
  const stored: Buffer[] = [];
  let [bytes, chunks] = [0, 0];
  await new Promise<void>((resolve, reject) => {
    response
      // An iterator would join chunks that arrive together, and hide how many there are.
      .on('data', (chunk: Buffer) => {
        if (bytes < STORED_BODY_BYTES) stored.push(chunk.subarray(0, STORED_BODY_BYTES - bytes));
        bytes += chunk.length;
        if (bytes <= MAX_BODY_BYTES && ++chunks < MAX_BODY_CHUNKS) return;
        resolve();
        // A destroyed stream still emits the chunks that it has buffered, thousands of them; a paused one does not.
        response.pause().destroy();
      })
      .on('end', resolve)
      .on('error', reject)
      .on('close', () => reject(new Error('the connection was closed before the end of the answer')));
  });
  return Buffer.concat(stored).toString('utf8').replaceAll('\0', '\uFFFD');
}

const NOT_PUBLIC = 'the address is not public';

function reasonOf(error: unknown): string {
  const { name, message, code } = error as Error & { code?: string };
  if (name === 'TimeoutError') return `no answer within ${timeouts.attemptTimeoutMs / 1000} seconds`;
  return (message || code || name).slice(0, 200);
}
