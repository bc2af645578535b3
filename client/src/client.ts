import { type Events, eventsOf } from './events.ts';
import { createExchange } from './exchange.ts';
import { type Orders, ordersOf } from './orders.ts';
import { type Listing, listing } from './page.ts';
import { type Pets, petsOf } from './pets.ts';
import { type Result, resultOf } from './result.ts';
import { type Sandbox, sandboxOf } from './sandbox.ts';
import { type CallOptions, createSend, type LogEntry } from './send.ts';
import { requireTime } from './time.ts';
import type { InspectedRequest, RequestPage, StoreSummary } from './types.generated.ts';
import { type V1, v1Of } from './v1.ts';
import { type Webhooks, webhooksOf } from './webhooks.ts';

export interface ClientOptions {
  /** Base URL of the deployment, such as `http://127.0.0.1:8080/v1`. `PETSTORE_URL` of the environment by default. */
  readonly baseUrl?: string | undefined;
  /** An API key of that deployment. `PETSTORE_KEY` of the environment by default. */
  readonly key?: string | undefined;
  /** Headers of every request; those of a call take precedence. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Milliseconds for a call, retries included. Default: 60,000. */
  readonly timeout?: number | undefined;
  /** Milliseconds for one attempt. Default: 20,000. */
  readonly tryTimeout?: number | undefined;
  /** Maximum number of retries. Default: 4. */
  readonly retries?: number | undefined;
  /** Maximum milliseconds before the first retry; doubled for each further one. Default: 250. */
  readonly retryDelay?: number | undefined;
  /** Called for every attempt. */
  readonly log?: ((entry: LogEntry) => void) | undefined;
  /** Replaces the runtime's own. */
  readonly fetch?: typeof fetch | undefined;
}

/** A request to any path of the service. */
export interface AnyRequest extends CallOptions {
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
}

export interface RequestFilter {
  /** Requests per page. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface Client {
  readonly orders: Orders;
  readonly pets: Pets;
  readonly events: Events;
  readonly webhooks: Webhooks;
  readonly sandbox: Sandbox;
  /** Order counts and stock. */
  summary(options?: CallOptions): Result<StoreSummary>;
  /** The last requests made with a key of the store, newest first. */
  requests(filter?: RequestFilter, options?: CallOptions): Listing<InspectedRequest>;
  readonly v1: V1;
  /** Any request: `request('GET', '/v2/pets/1')`. Only `GET` and `HEAD` are retried if they may have reached the service. */
  request<T = unknown>(method: string, path: string, options?: AnyRequest): Result<T>;
}

/** A client for one store of one deployment. The key is not in any of its properties. */
export function createClient(options: ClientOptions = {}): Client {
  const { timeout = 60_000, tryTimeout = 20_000, retries = 4, retryDelay = 250, log } = options;
  const { baseUrl = fromEnvironment('PETSTORE_URL'), key = fromEnvironment('PETSTORE_KEY') } = options;
  const { headers, fetch = globalThis.fetch } = options;
  requireTime('timeout', timeout);
  requireTime('tryTimeout', tryTimeout);
  const retryPolicy = { timeout, tryTimeout, retries, retryDelay, log };
  const exchange = createExchange({ baseUrl, key, headers, fetch });
  const send = createSend(exchange, retryPolicy);
  return {
    orders: ordersOf(send),
    pets: petsOf(send),
    events: eventsOf(exchange, retryPolicy),
    webhooks: webhooksOf(send),
    sandbox: sandboxOf(send),
    summary(callOptions) {
      const call = { method: 'GET', path: '/v2/store/summary', retry: 'always' } as const;
      return resultOf(send<StoreSummary>(call, callOptions));
    },
    requests: ({ limit, cursor } = {}, callOptions) =>
      listing((at) => {
        const query = { limit, cursor: at };
        const call = { method: 'GET', path: '/v2/store/requests', query, retry: 'always' } as const;
        return send<RequestPage>(call, callOptions);
      }, cursor),
    v1: v1Of(send),
    request<T>(method: string, path: string, { query, body, ...callOptions }: AnyRequest = {}) {
      const retry = /^(GET|HEAD)$/.test(method) ? 'always' : 'ifNotSent';
      return resultOf(send<T>({ method, path, query, body, retry }, callOptions));
    },
  };
}

/** Empty in browsers, which have no environment. */
function fromEnvironment(name: string): string {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name] ?? '';
}
