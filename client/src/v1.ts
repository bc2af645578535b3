import { type Id, idText } from './id.ts';
import { cancelAt } from './orders.ts';
import { type Result, resultOf } from './result.ts';
import type { CallOptions, Send } from './send.ts';
import type { V1Order, V1Pet } from './types.generated.ts';

/** The four operations of version 1. */
export interface V1 {
  listOrders(options?: CallOptions): Result<readonly Required<V1Order>[]>;
  cancelOrder(orderId: Id, options?: CallOptions): Result<void>;
  listPets(options?: CallOptions): Result<readonly V1Pet[]>;
  /** @deprecated Removed on 2030-12-05: use `pets.get`. */
  getPet(petId: Id, options?: CallOptions): Result<V1Pet>;
}

export function v1Of(send: Send): V1 {
  const read = <T>(pathOf: () => string, options: CallOptions | undefined) =>
    resultOf((async () => send<T>({ method: 'GET', path: `/v1${pathOf()}`, retry: 'always' }, options))());
  return {
    listOrders: (options) => read(() => '/store/orders', options),
    listPets: (options) => read(() => '/pets', options),
    getPet: (petId, options) => read(() => `/pets/${idText(petId)}`, options),
    cancelOrder: (orderId, options) =>
      resultOf(cancelAt(send, (id) => `/v1/store/orders/${idText(id)}`, orderId, options)),
  };
}
