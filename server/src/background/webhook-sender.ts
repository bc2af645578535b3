import { lookup as lookUp } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { Agent, buildConnector, Dispatcher } from 'undici';
import type { Attempt } from '../webhooks/delivery.ts';
import { isPublicAddress } from '../webhooks/private-addresses.ts';

const TIMEOUT_MS = 15_000;
const KEPT_BYTES = 1024;
/** An answer longer than this is not read to its end. */
const MOST_READ = 64 * 1024;

export interface Message {
  readonly url: string;
  /** The same for every try. */
  readonly id: string;
  readonly body: string;
  /** Each signs. */
  readonly secrets: readonly string[];
}

/** How names become addresses: as the machine does it, unless a test says otherwise. */
export type Resolve = typeof lookUp;

export interface SenderOptions {
  /** Whether it may also be sent to addresses that are not public. */
  readonly allowPrivate: boolean;
  readonly now: () => number;
  readonly resolve?: Resolve | undefined;
}

/** Sends messages in the form of Standard Webhooks. Whatever a receiver does costs bounded time and memory. */
export class WebhookSender {
  readonly #options: SenderOptions;
  #agent: Promise<Agent> | undefined;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** One try. It never fails: what went wrong is part of what is told of it. */
  async send(message: Message, signal?: AbortSignal): Promise<Attempt> {
    const at = this.#options.now();
    const started = performance.now();
    const limits = [AbortSignal.timeout(TIMEOUT_MS), ...(signal ? [signal] : [])];
    const outcome = await this.#request(message, at, AbortSignal.any(limits)).catch((error) => ({
      status: null,
      answer: null,
      error: reasonOf(error),
    }));
    const durationMs = Math.round(performance.now() - started);
    return { at: new Date(at).toISOString(), durationMs, ...outcome };
  }

  async close(): Promise<void> {
    await (await this.#agent)?.destroy();
  }

  async #request({ url, id, body, secrets }: Message, at: number, signal: AbortSignal) {
    const { origin, pathname, search } = new URL(url);
    this.#agent ??= openAgent(this.#options);
    const answer = await (await this.#agent).request({
      origin,
      path: pathname + search,
      method: 'POST',
      headers: { ...(await signed({ id, body, secrets }, at)), 'user-agent': 'petstore-webhooks' },
      body,
      signal,
    });
    return { status: answer.statusCode, answer: await beginningOf(answer.body), error: null };
  }
}

/** Loaded when first needed: most services never send. */
async function openAgent(options: SenderOptions): Promise<Agent> {
  const undici = await import('undici');
  return new undici.Agent({
    // How many go to a webhook at a time is decided by whoever sends. Nothing waits here for a connection: behind the same
    // address there are others, and what waits could still go out after its webhook was deleted.
    pipelining: 1,
    connect: connector(undici.buildConnector, options),
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
  });
}

/** The headers of a message, by which its receiver knows that it is ours, and when it was sent. */
async function signed(
  { id, body, secrets }: Pick<Message, 'id' | 'body' | 'secrets'>,
  at: number,
): Promise<Record<string, string>> {
  const { Webhook } = await import('standardwebhooks');
  const seconds = Math.floor(at / 1000);
  const signatures = secrets.map((secret) => new Webhook(secret).sign(id, new Date(seconds * 1000), body));
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signatures.join(' '),
  };
}

/** Reads no more than it must: the rest of a long answer is left to its sender. */
async function beginningOf(body: Dispatcher.ResponseData['body']): Promise<string> {
  const kept: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    if (length < KEPT_BYTES) kept.push(chunk.subarray(0, KEPT_BYTES - length));
    length += chunk.length;
    if (length > MOST_READ) break;
  }
  return Buffer.concat(kept).toString('utf8').replaceAll('\0', '\uFFFD');
}

/** Connects to public addresses only: looked at when the name is known to mean it, at every connection. */
function connector(
  build: typeof buildConnector,
  { allowPrivate, resolve = lookUp }: SenderOptions,
): buildConnector.connector {
  const lookup: LookupFunction = (host, options, callback) =>
    resolve(host, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '');
      const usable = allowPrivate ? addresses : addresses.filter(({ address }) => isPublicAddress(address));
      const [first] = usable;
      if (!first) return callback(new Error(notPublic), '');
      if (options.all) callback(null, usable);
      else callback(null, first.address, first.family);
    });
  const connect = build({ timeout: TIMEOUT_MS, lookup });
  return (target, callback) => {
    const host = target.hostname.replace(/^\[|\]$/g, '');
    // An address that is written out is never looked up.
    if (!allowPrivate && isIP(host) !== 0 && !isPublicAddress(host))
      return callback(new Error(notPublic), null);
    connect(target, callback);
  };
}

const notPublic = 'the address is not public';

function reasonOf(error: unknown): string {
  const { name, message, code } = error as Error & { code?: string };
  if (name === 'TimeoutError') return `no answer within ${TIMEOUT_MS / 1000} seconds`;
  return (message || code || name).slice(0, 200);
}
