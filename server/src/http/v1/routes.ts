import type { FastifyInstance } from 'fastify';
import type { Database } from '../../database/engine.ts';
import { orderPage, ordersChangedSince } from '../../orders/order-list.ts';
import { findPet } from '../../pets/find-pet.ts';
import { petPage, petsChangedSince } from '../../pets/pet-list.ts';
import { Refusal } from '../../refusal.ts';
import type { Writer } from '../../writer/writer.ts';
import { etagOf, isNotModified } from '../content/conditional.ts';
import { parseInt64 } from '../content/int64.ts';
import { ApiError } from '../errors.ts';
import { callerOf } from '../guards/authenticate.ts';
import { ListCache, type ListCacheOptions } from '../lists/list-cache.ts';
import { sendList } from '../lists/send-list.ts';
import { type Handler, serveOperations } from '../openapi/operation.ts';
import { v1Document } from './document.ts';
import { writeOrder, writePet } from './write.ts';

export interface V1Options {
  readonly db: Database;
  readonly writer: Writer;
  readonly now: () => number;
  readonly lists: V1Lists;
}

/** The lists of version 1, kept in memory as they are sent. */
export type V1Lists = ReturnType<typeof v1Lists>;
export function v1Lists(db: Database, options: ListCacheOptions) {
  return {
    orders: new ListCache(
      db,
      { page: orderPage, changedSince: ordersChangedSince, write: writeOrder },
      options,
    ),
    pets: new ListCache(db, { page: petPage, changedSince: petsChangedSince, write: writePet }, options),
  };
}

/** Version 1: four operations, frozen. */
export function v1Routes(app: FastifyInstance, { db, writer, now, lists }: V1Options): void {
  const listOrders: Handler = (request, reply) =>
    sendList(request, reply, (storeId, revision) => lists.orders.get(storeId, revision));

  const cancelOrder: Handler = async (request, reply) => {
    const { orderId } = request.params as { orderId: string };
    const id = parseInt64(orderId);
    if (id === undefined) throw new ApiError('not_found');
    try {
      await writer.apply('cancelOrder', {
        storeId: callerOf(request).storeId,
        orderId: id,
        at: BigInt(now()),
      });
    } catch (error) {
      // To v1 a cancelled order no longer exists.
      if (error instanceof Refusal && error.code === 'order_already_cancelled')
        throw new ApiError('not_found');
      throw error;
    }
    return reply.code(204).send();
  };

  const listPets: Handler = (request, reply) =>
    sendList(request, reply, (storeId, revision) => lists.pets.get(storeId, revision));

  const getPet: Handler = async (request, reply) => {
    const { petId } = request.params as { petId: string };
    const caller = callerOf(request);
    const id = parseInt64(petId);
    const [pet] = id === undefined ? [] : await db.all(findPet, { storeId: caller.storeId, petId: id });
    if (!pet) throw new ApiError('not_found');
    const etag = etagOf(caller, caller.revision);
    reply.header('etag', etag);
    if (isNotModified(request.headers, etag)) return reply.code(304).send();
    return reply.header('content-type', 'application/json').send(Buffer.from(writePet(pet)));
  };

  serveOperations(app, v1Document, { listOrders, cancelOrder, listPets, getPet });
}
