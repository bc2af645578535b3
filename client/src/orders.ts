import { PetStoreError } from './errors.ts';
import { type Id, idText } from './id.ts';
import { type Listing, listing } from './page.ts';
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
  /** Orders on a page. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface PlaceOptions extends CallOptions {
  /** One of your own, to go on placing after your program was restarted; random unless given. */
  readonly idempotencyKey?: string | undefined;
}

/** The orders of the store. */
export interface Orders {
  list(filter?: OrderFilter, options?: CallOptions): Listing<Order>;
  place(order: OrderInput, options?: PlaceOptions): Promise<Order>;
  get(id: Id, options?: CallOptions): Promise<Order>;
  ship(id: Id, options?: CallOptions): Promise<Order>;
  deliver(id: Id, options?: CallOptions): Promise<Order>;
  cancel(id: Id, options?: CallOptions): Promise<void>;
  history(id: Id, options?: CallOptions): Promise<readonly OrderHistoryEntry[]>;
}

const path = (id: Id) => `/v2/store/orders/${idText(id)}`;

export function ordersOf(send: Send): Orders {
  const get = async (id: Id, options?: CallOptions) =>
    (await send<Order>({ method: 'GET', path: path(id), repeat: 'always' }, options)).body;

  const change = async (id: Id, verb: 'ship' | 'deliver', becomes: OrderStatus, options?: CallOptions) => {
    const call = { method: 'POST', path: `${path(id)}/${verb}`, repeat: 'always' } as const;
    const sent = await settled(
      send,
      id,
      becomes,
      options,
      async () => (await send<Order>(call, options)).body,
    );
    return sent ?? get(id, options);
  };

  return {
    get,
    ship: (id, options) => change(id, 'ship', 'shipped', options),
    deliver: (id, options) => change(id, 'deliver', 'delivered', options),
    async cancel(id, options) {
      const call = { method: 'DELETE', path: path(id), repeat: 'always' } as const;
      await settled(send, id, 'cancelled', options, () => send(call, options));
    },
    async history(id, options) {
      return (await historyOf(send, id, options)).body.data;
    },
    list: ({ cursor, ...filter } = {}, options) =>
      listing(async (at) => {
        const call = { method: 'GET', path: '/v2/store/orders', repeat: 'always' } as const;
        const query = { ...filter, petId: filter.petId === undefined ? undefined : idText(filter.petId) };
        return (await send<OrderPage>({ ...call, query: { ...query, cursor: at } }, options)).body;
      }, cursor),
    async place({ petId, ...order }, { idempotencyKey = randomKey(), ...options } = {}) {
      const body = { ...order, petId: BigInt(idText(petId)) };
      const headers = { 'idempotency-key': idempotencyKey };
      const call = { method: 'POST', path: '/v2/store/orders', headers, body, repeat: 'always' } as const;
      try {
        return (await send<Order>(call, options)).body;
      } catch (error) {
        if (error instanceof PetStoreError) error.idempotencyKey = idempotencyKey;
        throw error;
      }
    },
  };
}

/** Clocks of replicas may differ by as much. */
const clockSlack = 2_000;

/**
 * Changes an order. A refusal after a lost answer may be the echo of our own success, so it is looked
 * up whether the order came into the state since we began; undefined if it did.
 */
export async function settled<T>(
  send: Send,
  id: Id,
  becomes: OrderStatus,
  options: CallOptions | undefined,
  change: () => Promise<T>,
): Promise<T | undefined> {
  const start = performance.now();
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof PetStoreError) || !error.mayBeDone) throw error;
    const found = await historyOf(send, id, options).catch(() => undefined);
    const entry = found?.body.data.find(({ status }) => status === becomes);
    // The moment that we began, on the clock of the service: browsers do not show it to other origins.
    const now = Date.parse(found?.headers.get('date') ?? '') || Date.now();
    const began = now - (performance.now() - start) - clockSlack;
    if (entry && Date.parse(entry.at) >= began) return undefined;
    throw error;
  }
}

const historyOf = (send: Send, id: Id, options: CallOptions | undefined) =>
  send<OrderHistory>({ method: 'GET', path: `${path(id)}/history`, repeat: 'always' }, options);

function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
