import { Inconclusive, once } from '../check.ts';
import { expectStatus } from '../expect.ts';
import type { Client, Response } from '../http.ts';
import { alteredKey } from '../invalid-keys.ts';
import { Mismatch } from '../mismatch.ts';
import { type Fields, integerOf, isObject, jsonIn } from './expect.ts';
import { changesOf, type List } from './lists.ts';

/** Orders to try to cancel until one turns out to be pending. */
const MAX_TRIES = 25;
/** Responses, neither a success nor 404 nor 409, after which no further order is tried. */
const MAX_UNEXPECTED = 2;

export interface Named {
  readonly pending?: bigint;
  readonly shipped?: bigint;
}

/** One pending order, its cancellation, and the lists before and after. */
interface Cancellation {
  readonly id: bigint;
  /** The same request without a valid key, sent first. */
  readonly unauthorized: readonly Response[];
  readonly before: List;
  readonly afterUnauthorized: List;
  readonly response: Response;
  readonly after: List;
  /** The response to a second cancel. */
  readonly again: Response;
}

/** A shipped order, and the results of attempts to cancel it. */
interface Rejection {
  readonly id: bigint;
  readonly before: List;
  readonly responses: readonly [Response, Response];
  /** The response to an attempt with query parameters, which a service may ignore or reject. */
  readonly withQuery: Response;
  readonly after: List;
}

/** A store of any service: it lists orders, and finds one that can be cancelled and one that can't. */
export interface Store {
  readonly client: Client;
  list(): Promise<List>;
  /** The first list. Never empty. */
  orders(): Promise<readonly Fields[]>;
  cancellation(): Promise<Cancellation>;
  rejection(): Promise<Rejection>;
  /** An id that no listed order has. */
  missingId(): Promise<bigint>;
}

export function openStore(client: Client, named: Named = {}, isDocumentedOnly = false): Store {
  const list = async (): Promise<List> => {
    const response = await client.send({ path: '/store/orders' });
    expectStatus(response, 200);
    const orders = jsonIn(response);
    if (!Array.isArray(orders)) throw new Mismatch('a JSON array', response.text, response.request);
    return { response, orders };
  };
  const firstList = once(list);
  const orders = async () => {
    const listed = (await firstList()).orders;
    if (listed.length === 0) throw new Inconclusive('the store has no orders');
    return listed.filter(isObject);
  };
  const ordersWithId = async () =>
    (await orders()).flatMap((order) => {
      const id = integerOf(order.id);
      return id === undefined ? [] : [{ id, order }];
    });

  const attempt = async (id: bigint): Promise<Cancellation> => {
    const path = `/store/orders/${id}`;
    const before = await list();
    // --documented-only sends no request that violates the document, such as one without a key.
    const keys = isDocumentedOnly ? [alteredKey(client.key)] : [null, alteredKey(client.key)];
    const unauthorized: Response[] = [];
    for (const key of keys) unauthorized.push(await client.send({ method: 'DELETE', path, key }));
    const afterUnauthorized = await list();
    // Sent as bytes: an HTTP library would hide a body that follows a 204.
    const response = await client.sendBytes(client.requestText({ method: 'DELETE', path }), `DELETE ${path}`);
    const after = await list();
    return { id, unauthorized, before, afterUnauthorized, response, after, again: await cancel(id) };
  };
  const cancel = (id: bigint, query = '') =>
    client.send({ method: 'DELETE', path: `/store/orders/${id}${query}` });

  const rejected: bigint[] = [];
  const cancellation = once(async () => {
    if (named.pending !== undefined) return attempt(named.pending);
    const cancellations: Cancellation[] = [];
    for (const id of candidatesIn(await ordersWithId(), () => cancellations.length > 0)) {
      const tried = await attempt(id);
      if (isSuccess(tried.response) || isChanged(tried.before, tried.afterUnauthorized)) return tried;
      cancellations.push(tried);
      if (tried.response.status === 409) rejected.push(id);
      const isUnexpected = ({ response: { status } }: Cancellation) => status !== 409 && status !== 404;
      if (cancellations.length === MAX_TRIES || cancellations.filter(isUnexpected).length >= MAX_UNEXPECTED)
        break;
    }
    return throwNoneCancelled(cancellations, await ordersWithId());
  });

  const shippedId = async () => {
    if (named.shipped !== undefined) return named.shipped;
    const complete = (await ordersWithId()).find(({ order }) => order.complete === true);
    if (complete) return complete.id;
    await cancellation().catch(() => {});
    const [id] = rejected;
    if (id === undefined)
      throw new Inconclusive('found no order that has shipped; name one with --shipped ID');
    return id;
  };

  return {
    client,
    list,
    orders,
    cancellation,
    rejection: once(async () => {
      const id = await shippedId();
      const before = await list();
      const first = await cancel(id);
      const after = await list();
      const responses = [first, await cancel(id)] as const;
      return { id, before, responses, after, withQuery: await cancel(id, '?force=true&status=pending') };
    }),
    async missingId() {
      const listed = (await firstList()).orders.map((order) =>
        isObject(order) ? integerOf(order.id) : undefined,
      );
      let id = 987_654_321n;
      while (listed.includes(id)) id += 1n;
      return id;
    },
  };
}

function isChanged(before: List, after: List): boolean {
  const { removed, added } = changesOf(before, after);
  return removed.length + added.length > 0;
}

const isSuccess = ({ status }: Response) => status >= 200 && status <= 299;

/** Orders that may be pending: the earliest ship date first, which finds a shipped order, then the latest first, to find a pending one. */
function* candidatesIn(
  orders: readonly { readonly id: bigint; readonly order: Fields }[],
  isShippedKnown: () => boolean,
): Generator<bigint> {
  const open = orders
    .filter(({ order }) => order.complete !== true)
    .sort((a, b) => dateOf(a.order) - dateOf(b.order));
  while (open.length > 0) yield ((isShippedKnown() ? open.pop() : open.shift()) as { id: bigint }).id;
}

const dateOf = ({ shipDate }: Fields): number => Date.parse(String(shipDate)) || 0;

/** Throws the reason why no order could be cancelled: the service is wrong, or the store has none that is pending. */
function throwNoneCancelled(
  cancellations: readonly Cancellation[],
  orders: readonly { readonly id: bigint; readonly order: Fields }[],
): never {
  if (cancellations.length === 0)
    throw new Inconclusive(
      'no listed order has an `id` and is incomplete; name a pending one with --pending ID',
    );
  const statuses = new Set(cancellations.map(({ response }) => response.status));
  const unexpected = cancellations.find(
    ({ response: { status } }) => status !== 409 && (status !== 404 || statuses.size === 1),
  );
  if (unexpected) expectStatus(unexpected.response, 204, 409);
  // An order whose ship date is in the future has not shipped. If all of these are rejected, like all others, the service
  // cancels nothing. One that was not tried may be the pending one.
  const unshipped = new Set(
    orders.filter(({ order }) => order.complete === false && dateOf(order) > Date.now()).map(({ id }) => id),
  );
  const wrong = cancellations.find(({ id }) => unshipped.has(id));
  const tried = new Set(cancellations.map(({ id }) => id));
  const bodies = new Set(cancellations.map(({ response }) => response.text.replaceAll(/\d+/g, '')));
  if (wrong && bodies.size === 1 && unshipped.isSubsetOf(tried)) expectStatus(wrong.response, 204);
  throw new Inconclusive(
    `none of ${cancellations.length} orders could be cancelled; name a pending one with --pending ID`,
  );
}
