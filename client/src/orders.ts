import { PetStoreError } from './errors.ts';
import { type Id, idText } from './id.ts';
import { lowerCase } from './lower-case.ts';
import { type Listing, listing, requireRows } from './page.ts';
import { type ApiResponse, mapBody, type Result, resultOf } from './result.ts';
import type { CallOptions, Send } from './send.ts';
import type {
  Order,
  OrderHistory,
  OrderHistoryEntry,
  OrderInput,
  OrderPage,
  OrderSort,
  OrderStatus,
} from './types.generated.ts';

export interface OrderFilter {
  readonly status?: OrderStatus | readonly OrderStatus[] | undefined;
  readonly petId?: Id | undefined;
  readonly complete?: boolean | undefined;
  /** Inclusive. */
  readonly shipDateFrom?: string | undefined;
  /** Exclusive. */
  readonly shipDateTo?: string | undefined;
  readonly sort?: OrderSort | undefined;
  /** Orders per page. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface PlaceOptions extends CallOptions {
  /** Set it to repeat a placement safely after a restart of your program. Default: the `idempotency-key` in `headers`, otherwise a random key. */
  readonly idempotencyKey?: string | undefined;
}

/** An order to place. */
export interface NewOrder extends Omit<OrderInput, 'petId'> {
  readonly petId: Id;
}

/** The orders of the store. */
export interface Orders {
  list(filter?: OrderFilter, options?: CallOptions): Listing<Order>;
  place(order: NewOrder, options?: PlaceOptions): Result<Order>;
  get(id: Id, options?: CallOptions): Result<Order>;
  ship(id: Id, options?: CallOptions): Result<Order>;
  deliver(id: Id, options?: CallOptions): Result<Order>;
  cancel(id: Id, options?: CallOptions): Result<void>;
  history(id: Id, options?: CallOptions): Result<readonly OrderHistoryEntry[]>;
}

const path = (id: Id) => `/v2/store/orders/${idText(id)}`;

export function ordersOf(send: Send): Orders {
  const get = async (id: Id, options?: CallOptions) =>
    send<Order>({ method: 'GET', path: path(id), retry: 'always' }, options);

  const change = async (id: Id, verb: 'ship' | 'deliver', newStatus: OrderStatus, options?: CallOptions) => {
    const call = { method: 'POST', path: `${path(id)}/${verb}`, retry: 'always' } as const;
    const { body, head } = await changeOnce(send, id, newStatus, options, () => send<Order>(call, options));
    return body === undefined ? get(id, options) : { body, head };
  };

  const place = async ({ petId, ...order }: NewOrder, given: PlaceOptions = {}) => {
    const { 'idempotency-key': fromHeader = randomKey() } = lowerCase(given.headers);
    const { idempotencyKey = fromHeader, ...options } = given;
    const body = { ...order, petId: BigInt(idText(petId)) };
    const headers = { 'idempotency-key': idempotencyKey };
    const call = { method: 'POST', path: '/v2/store/orders', headers, body, retry: 'always' } as const;
    try {
      return await send<Order>(call, options);
    } catch (error) {
      if (error instanceof PetStoreError) error.idempotencyKey = idempotencyKey;
      throw error;
    }
  };

  return {
    get: (id, options) => resultOf(get(id, options)),
    ship: (id, options) => resultOf(change(id, 'ship', 'shipped', options)),
    deliver: (id, options) => resultOf(change(id, 'deliver', 'delivered', options)),
    cancel: (id, options) => resultOf(cancelAt(send, path, id, options)),
    place: (order, options) => resultOf(place(order, options)),
    history: (id, options) => resultOf(mapBody(historyOf(send, id, options), ({ data }) => data)),
    list: ({ cursor, ...filter } = {}, options) =>
      listing(async (at) => {
        const call = { method: 'GET', path: '/v2/store/orders', retry: 'always' } as const;
        const query = { ...filter, petId: filter.petId === undefined ? undefined : idText(filter.petId) };
        return send<OrderPage>({ ...call, query: { ...query, cursor: at } }, options);
      }, cursor),
  };
}

/** Maximum clock difference between replicas. */
const clockSlack = 2_000;

/**
 * Changes an order. An error after a lost response may be due to our own first attempt: if the history shows that the
 * order has reached the state since we started, resolves without a body.
 */
async function changeOnce<T>(
  send: Send,
  id: Id,
  newStatus: OrderStatus,
  options: CallOptions | undefined,
  change: () => Promise<ApiResponse<T>>,
): Promise<ApiResponse<T | undefined>> {
  const start = performance.now();
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof PetStoreError) || !error.mayBeDone) throw error;
    const found = await historyOf(send, id, options).catch(() => undefined);
    options?.signal?.throwIfAborted();
    const entry = found?.body.data.find(({ status }) => status === newStatus);
    // Start time, by the service's `Date`, or by the local clock if a browser hides that header.
    const now = Date.parse(found?.head.headers.get('date') ?? '') || Date.now();
    const began = now - (performance.now() - start) - clockSlack;
    if (found && entry && Date.parse(entry.at) >= began) return { body: undefined, head: found.head };
    throw error;
  }
}

/** Cancels an order through v1 or v2. The order history, which shows whether an attempt without a response succeeded, is only in v2. */
export async function cancelAt(
  send: Send,
  pathOf: (id: Id) => string,
  id: Id,
  options: CallOptions | undefined,
): Promise<ApiResponse<void>> {
  const call = { method: 'DELETE', path: pathOf(id), retry: 'always' } as const;
  return changeOnce(send, id, 'cancelled', options, () => send<void>(call, options));
}

const historyOf = async (send: Send, id: Id, options: CallOptions | undefined) =>
  requireRows(send<OrderHistory>({ method: 'GET', path: `${path(id)}/history`, retry: 'always' }, options));

function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
