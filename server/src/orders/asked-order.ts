import type { Database } from '../database/engine.ts';
import { ApiError } from '../http/errors.ts';
import { idOf } from '../http/fields/path-id.ts';
import { callerOf } from '../http/guards/authenticate.ts';
import type { Moment } from '../http/server/guard.ts';
import type { Request } from '../http/server/request.ts';
import { findOrder } from './find-order.ts';
import type { Order } from './order.ts';

/** The order that the path names. */
export async function askedOrder(db: Database, request: Request): Promise<Order> {
  const { storeId } = callerOf(request);
  const [order] = await db.all(findOrder, { storeId, orderId: idOf(request, 'orderId') });
  if (!order) throw new ApiError('not_found');
  return order;
}

/** What a verb that changes it is told. */
export const changeOf = (request: Request, now: Moment) => ({
  storeId: callerOf(request).storeId,
  orderId: idOf(request, 'orderId'),
  at: BigInt(now(request)),
});
