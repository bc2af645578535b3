import { jsonTextResponse } from '../http/content/negotiation.ts';
import { ApiError } from '../http/errors.ts';
import { invalidParameter } from '../http/fields/parameters.ts';
import { headerRef } from '../http/openapi/openapi.ts';
import { errorResponse, links, response } from '../http/openapi/responses.ts';
import { bodyWith, operation, type Services } from '../http/operations/operation.ts';
import type { Request } from '../http/server/request.ts';
import { orderFields } from './order.ts';
import { orderInputExample, placedOrderExample, writeOrder } from './order-view.ts';
import { placeOrder } from './place-order.ts';

/** Printable ASCII, without surrounding spaces: HTTP strips those. */
const KEY = { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]([ -~]*[!-~])?$' } as const;

export const idempotencyKeyParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description: `A unique value of your choice, up to ${KEY.maxLength} printable ASCII characters. Two orders are the same if they are equal as JSON: the order of fields, white space and the spelling of numbers and dates do not matter. A key is stored for 24 hours, unless the store has used 100,000 newer ones.`,
  schema: KEY,
  example: '8e03978e-40d5-43e8-bc93-6894a57f9324',
};

const replayed = { 'Idempotent-Replayed': headerRef('IdempotentReplayed') };

export const placeOrderOperation = operation({
  operationId: 'placeOrder',
  at: 'POST /store/orders',
  summary: 'Place an order',
  description:
    'Takes the units from stock. With an `Idempotency-Key`, a retry of the same order returns the first response instead of placing a second order.',
  headers: [{ $ref: '#/components/parameters/IdempotencyKey' }],
  body: bodyWith('OrderInput', orderFields, orderInputExample),
  responses: {
    201: {
      ...response('The order is placed.', 'Order', placedOrderExample, {
        Location: headerRef('OrderLocation'),
        ...replayed,
      }),
      links: links('GetOrder', 'ShipOrder', 'CancelOrder', 'GetOrderHistory'),
    },
    400: errorResponse('The body or the `Idempotency-Key` is not valid.', [
      'invalid_body',
      'invalid_parameter',
    ]),
    409: errorResponse(
      'Not enough stock, the order limit is reached, or a request with the same `Idempotency-Key` is still in progress.',
      ['insufficient_stock', 'order_limit_reached', 'idempotency_key_in_use'],
      replayed,
    ),
    422: errorResponse(
      'The pet does not exist, or the `Idempotency-Key` was used for a different order.',
      ['unknown_pet', 'idempotency_key_reused'],
      replayed,
    ),
  },
  async handle({ request, storeId, body }, services: Services) {
    const { writer, effectiveTime, clock, quotas, activeIdempotencyKeys } = services;
    const idempotencyKey = idempotencyKeyOf(request);
    using _ = claimKey(activeIdempotencyKeys, storeId, idempotencyKey);
    const { placement, replayed } = await writer.apply(placeOrder, {
      storeId,
      ...body,
      idempotencyKey,
      at: BigInt(effectiveTime(request)),
      requestedAt: BigInt(clock()),
      maxOrders: quotas.orders,
      maxStoredKeys: quotas.idempotencyKeys,
    });
    if (replayed) request.responseHeaders.push('idempotent-replayed', 'true');
    if ('refused' in placement) throw new ApiError(placement.refused);
    const location = `/v2/store/orders/${placement.order.id}`;
    return await jsonTextResponse(request, writeOrder(placement.order), 201, ['location', location]);
  },
});

const keyPattern = new RegExp(KEY.pattern);

function idempotencyKeyOf({ headers }: Request): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && key.length <= KEY.maxLength && keyPattern.test(key)) return key;
  throw invalidParameter('Idempotency-Key', `must be 1 to ${KEY.maxLength} printable ASCII characters`);
}

function claimKey(active: Set<string>, storeId: bigint, key: string | undefined): Disposable | undefined {
  if (key === undefined) return undefined;
  const claim = `${storeId} ${key}`;
  if (active.has(claim)) throw new ApiError('idempotency_key_in_use');
  active.add(claim);
  return { [Symbol.dispose]: () => void active.delete(claim) };
}
