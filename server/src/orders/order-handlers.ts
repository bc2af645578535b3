import { IDEMPOTENCY_KEY_SCHEMA, orderFields } from '../api/v2-bodies.ts';
import { idOf, notModified, type V2Options } from '../api/v2-handling.ts';
import { DEFAULT_LIMIT, filterOf, orderParameters } from '../api/v2-list-parameters.ts';
import { writeHistory, writeOrder } from '../api/v2-write.ts';
import { readBody } from '../http/content/body.ts';
import { jsonTextAnswer } from '../http/content/json-answer.ts';
import { invalid, readQuery } from '../http/content/parameters.ts';
import { ApiError } from '../http/errors.ts';
import { callerOf } from '../http/guards/authenticate.ts';
import type { AnswerPage } from '../http/pages/page-answer.ts';
import type { Handler } from '../http/server/answer.ts';
import type { Request } from '../http/server/request.ts';
import { cancelOrder } from './cancel-order.ts';
import { deliverOrder } from './deliver-order.ts';
import { findOrder } from './find-order.ts';
import type { Order } from './order.ts';
import { historyOf } from './order-history.ts';
import { isDatesById, orderPage } from './order-pages.ts';
import { placeOrder } from './place-order.ts';
import { shipOrder } from './ship-order.ts';

/** Orders that are read and written in well under a millisecond. A turn may take a whole page, of a thousand. */
const SHORT_PAGE = 100n;

/** The order operations of version 2. */
export function orderHandlers(
  { db, writer, now, clock, cursors, quotas }: V2Options,
  answerPage: AnswerPage,
) {
  const underWay = new Set<string>();

  const listOrders: Handler = (request) => {
    const values = readQuery(orderParameters, request.query);
    const { filter, sort } = filterOf(values);
    const { storeId } = callerOf(request);
    const purpose = () =>
      `orders ${storeId} ${sort} ${filter.statuses} ${filter.petId} ${filter.from} ${filter.to}`;
    const position = values.cursor === undefined ? undefined : cursors.read(purpose(), values.cursor);
    const after = position && { shipDate: position[0], id: position[1] };
    const limit = values.limit ?? BigInt(DEFAULT_LIMIT);
    const unchanged = notModified(request);
    if (unchanged) return unchanged;
    return answerPage(request, {
      limit,
      slices: orderPage(db, { storeId, filter, sort, after, limit: limit + 1n }),
      isShort: limit <= SHORT_PAGE && !isDatesById({ filter, sort }),
      write: writeOrder,
      cursorAfter: (last) => cursors.write(purpose(), [last.ship_date, last.id]),
    });
  };

  const place: Handler = async (request) => {
    const { petId, quantity, shipDate } = readBody(orderFields, request.body);
    const { storeId } = callerOf(request);
    const idempotencyKey = idempotencyKeyOf(request);
    const order = {
      storeId,
      petId,
      quantity,
      shipDate,
      idempotencyKey,
      at: BigInt(now(request)),
      mostOrders: quotas.orders,
      ...(idempotencyKey !== undefined && {
        askedAt: BigInt(clock()),
        mostRemembered: quotas.idempotencyKeys,
      }),
    };
    const claim = idempotencyKey === undefined ? undefined : `${storeId} ${idempotencyKey}`;
    if (claim !== undefined && underWay.has(claim)) throw new ApiError('idempotency_key_in_use');
    if (claim !== undefined) underWay.add(claim);
    try {
      const { placement, replayed } = await writer.apply(placeOrder, order);
      if (replayed) request.answerHeaders.push('idempotent-replayed', 'true');
      if ('refused' in placement) throw new ApiError(placement.refused);
      const location = `/v2/store/orders/${placement.order.id}`;
      return jsonTextAnswer(request, writeOrder(placement.order), 201, ['location', location]);
    } finally {
      if (claim !== undefined) underWay.delete(claim);
    }
  };

  const show =
    (write: (order: Order) => string): Handler =>
    async (request) => {
      const [order] = await db.all(findOrder, {
        storeId: callerOf(request).storeId,
        orderId: idOf(request, 'orderId'),
      });
      if (!order) throw new ApiError('not_found');
      return notModified(request) ?? jsonTextAnswer(request, write(order));
    };

  const cancel: Handler = async (request) => {
    await writer.apply(cancelOrder, changeOf(request));
    return { status: 204 };
  };

  const move =
    (verb: typeof shipOrder | typeof deliverOrder): Handler =>
    async (request) =>
      jsonTextAnswer(request, writeOrder(await writer.apply(verb, changeOf(request))));

  const changeOf = (request: Request) => ({
    storeId: callerOf(request).storeId,
    orderId: idOf(request, 'orderId'),
    at: BigInt(now(request)),
  });

  return {
    listOrders,
    placeOrder: place,
    getOrder: show(writeOrder),
    getOrderHistory: show((order) => writeHistory(historyOf(order))),
    cancelOrder: cancel,
    shipOrder: move(shipOrder),
    deliverOrder: move(deliverOrder),
  };
}

const plainKey = new RegExp(IDEMPOTENCY_KEY_SCHEMA.pattern);

function idempotencyKeyOf({ headers }: Request): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  const { maxLength } = IDEMPOTENCY_KEY_SCHEMA;
  if (typeof key === 'string' && key.length <= maxLength && plainKey.test(key)) return key;
  throw invalid('Idempotency-Key', `must be 1 to ${maxLength} plain characters`);
}
