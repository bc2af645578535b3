/** Path values that exist in the store, by operation; `*` applies to all others. */
export type SampleIds = Readonly<Record<string, Readonly<Record<string, string | number>>>>;

/** Reads the IDs of a version 2 page such as `/pets?limit=1`; empty on error. */
export type ReadIds = (path: string) => Promise<ReadonlyArray<string | number>>;

/**
 * Finds IDs with which the operations succeed: those in the OpenAPI examples may not exist. Without a key, falls back to
 * the IDs of a new store.
 */
export async function findSampleIds(version: string, read: ReadIds): Promise<SampleIds> {
  const [pending, [shipped = 39], [orderId = 1], [petId = 1], [webhookId]] = await Promise.all([
    read('/store/orders?status=pending&sort=-id&limit=3'),
    read('/store/orders?status=shipped&sort=-id&limit=1'),
    read('/store/orders?limit=1'),
    read('/pets?status=available&limit=1'),
    version === 'v2' ? read('/webhooks') : [],
  ]);
  // Different orders, so that trying one operation does not make another fail.
  const [cancel = 40, ship = cancel, cancelInV1 = ship] = pending.length > 0 ? pending : [40, 38, 36];
  const [deliveryId] = webhookId === undefined ? [] : await read(`/webhooks/${webhookId}/deliveries?limit=1`);
  return {
    cancelOrder: { orderId: version === 'v1' ? cancelInV1 : cancel },
    shipOrder: { orderId: ship },
    deliverOrder: { orderId: shipped },
    '*': {
      orderId,
      petId,
      ...(webhookId !== undefined && { webhookId }),
      ...(deliveryId !== undefined && { deliveryId }),
    },
  };
}
