import { notModified } from '../http/content/conditional.ts';
import { ApiError, found } from '../http/errors.ts';
import { readPath } from '../http/fields/parameters.ts';
import { callerOf } from '../http/guards/authenticate.ts';
import type { PathItem } from '../http/openapi/openapi.ts';
import type { ServedOperation } from '../http/openapi/serve-version.ts';
import type { Handler } from '../http/server/answer.ts';
import type { Services } from '../http/services.ts';
import { cancelOrder } from '../orders/change-status.ts';
import { findPet } from '../pets/pet.ts';
import { Refusal } from '../refusal.ts';
import { orderPath, petPath, v1Document } from './document.ts';
import { listAnswers } from './list-answer.ts';
import type { ListCache } from './list-cache.ts';
import { orderList, petList, writePet } from './list-source.ts';

type V1Options = Pick<Services, 'db' | 'writer' | 'momentOf'> & { readonly lists: ListCache };

export function v1Operations({ db, writer, momentOf, lists }: V1Options): ServedOperation[] {
  const answerWith = listAnswers(db, lists);

  const cancel: Handler = async (request) => {
    const { storeId } = callerOf(request);
    const { orderId } = readPath(orderPath, request.params);
    try {
      await writer.apply(cancelOrder, { storeId, orderId, at: BigInt(momentOf(request)) });
    } catch (error) {
      // To v1 a cancelled order no longer exists.
      if (error instanceof Refusal && error.code === 'order_already_cancelled')
        throw new ApiError('not_found');
      throw error;
    }
    return { status: 204 };
  };

  const getPet: Handler = async (request) => {
    const { storeId } = callerOf(request);
    const { petId } = readPath(petPath, request.params);
    const pet = found(await db.all(findPet, { storeId, petId }));
    const headers = ['content-type', 'application/json'];
    return notModified(request) ?? { status: 200, headers, body: writePet(pet) };
  };

  const handlers: Readonly<Record<string, Handler>> = {
    listOrders: answerWith(orderList),
    cancelOrder: cancel,
    listPets: answerWith(petList),
    getPet,
  };
  return Object.entries<PathItem>(v1Document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId, deprecated = false }]) => ({
      operationId,
      method,
      path,
      deprecated,
      handler: handlers[operationId] as Handler,
    })),
  );
}
