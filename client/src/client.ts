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
  /** Base address of the deployment, such as `http://127.0.0.1:8080/v1`, with or without `/v1`. */
  readonly baseUrl: string;
  /** An API key of that deployment. */
  readonly key: string;
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
}

/** A client for one store of one deployment. The key is not in any of its properties. */
export function createClient(options: ClientOptions): Client {
  const { timeout = 60_000, tryTimeout = 20_000, retries = 4, retryDelay = 250, log } = options;
  const { baseUrl, key, fetch = globalThis.fetch } = options;
  requireTime('timeout', timeout);
  requireTime('tryTimeout', tryTimeout);
  const retryPolicy = { timeout, tryTimeout, retries, retryDelay, log };
  const exchange = createExchange({ baseUrl, key, fetch });
  const send = createSend(exchange, retryPolicy);
  return {
    orders: ordersOf(send),
    pets: petsOf(send),
    events: eventsOf(exchange, retryPolicy),
    webhooks: webhooksOf(send),
    sandbox: sandboxOf(send),
    summary(callOptions) {
      const call = { method: 'GET', path: '/v2/store/summary', repeat: 'always' } as const;
      return resultOf(send<StoreSummary>(call, callOptions));
    },
    requests: ({ limit, cursor } = {}, callOptions) =>
      listing((at) => {
        const query = { limit, cursor: at };
        const call = { method: 'GET', path: '/v2/store/requests', query, repeat: 'always' } as const;
        return send<RequestPage>(call, callOptions);
      }, cursor),
    v1: v1Of(send),
  };
}
