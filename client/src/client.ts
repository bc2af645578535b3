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
  /** The base address of the deployment, such as `http://127.0.0.1:8080/v1`; without `/v1` it is understood as well. */
  readonly baseUrl: string;
  /** An API key of that deployment. */
  readonly key: string;
  /** Milliseconds for all tries of a call together. 60,000 unless given. */
  readonly timeout?: number | undefined;
  /** Milliseconds for one try. 20,000 unless given. */
  readonly tryTimeout?: number | undefined;
  /** How often a call is tried again. 4 unless given. */
  readonly retries?: number | undefined;
  /** Milliseconds before the first retry at the most; twice as long before each further one. 250 unless given. */
  readonly retryDelay?: number | undefined;
  /** Is told of every try. */
  readonly log?: ((entry: LogEntry) => void) | undefined;
  /** Used instead of the runtime's own. */
  readonly fetch?: typeof fetch | undefined;
}

export interface RequestFilter {
  /** Requests on a page. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface Client {
  readonly orders: Orders;
  readonly pets: Pets;
  readonly events: Events;
  readonly webhooks: Webhooks;
  readonly sandbox: Sandbox;
  /** Orders and stock, counted. */
  summary(options?: CallOptions): Result<StoreSummary>;
  /** The last requests to the store that came with a key, newest first. */
  requests(filter?: RequestFilter, options?: CallOptions): Listing<InspectedRequest>;
  readonly v1: V1;
}

/** A client of one store of one deployment. The key is in none of its properties. */
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
