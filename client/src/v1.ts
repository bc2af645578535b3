import { type Id, idText } from './id.ts';
import { settled } from './orders.ts';
import type { CallOptions, Send } from './send.ts';
import type { V1Order, V1Pet } from './types.generated.ts';

/** The four operations of version 1. */
export interface V1 {
  listOrders(options?: CallOptions): Promise<readonly Required<V1Order>[]>;
  cancelOrder(orderId: Id, options?: CallOptions): Promise<void>;
  listPets(options?: CallOptions): Promise<readonly V1Pet[]>;
  /** @deprecated Withdrawn on 2030-12-05: use `pets.get`. */
  getPet(petId: Id, options?: CallOptions): Promise<V1Pet>;
}

export function v1Of(send: Send): V1 {
  const read = async <T>(path: string, options: CallOptions | undefined) =>
    (await send<T>({ method: 'GET', path: `/v1${path}`, repeat: 'always' }, options)).body;
  return {
    listOrders: (options) => read('/store/orders', options),
    listPets: (options) => read('/pets', options),
    getPet: async (petId, options) => read(`/pets/${idText(petId)}`, options),
    async cancelOrder(orderId, options) {
      const path = `/v1/store/orders/${idText(orderId)}`;
      // Version 1 shows a cancelled order to nobody; version 2 knows when it was cancelled.
      await settled(send, orderId, 'cancelled', options, () =>
        send({ method: 'DELETE', path, repeat: 'always' }, options),
      );
    },
  };
}
