/** By operation: values for its path, of what is in the store; under `*` those of all others. */
export type Present = Readonly<Record<string, Readonly<Record<string, string | number>>>>;

/** The ids on a page of version 2, such as of `/pets?limit=1`; none where it cannot be read. */
export type ReadIds = (path: string) => Promise<ReadonlyArray<string | number>>;

/**
 * What is tried out succeeds with these: the examples of the documents are of a store that followed their story. Whoever
 * has not come with a key yet is shown what every new store has.
 */
export async function findPresent(version: string, read: ReadIds): Promise<Present> {
  const [pending, [shipped = 39], [orderId = 1], [petId = 1], [webhookId]] = await Promise.all([
    read('/store/orders?status=pending&sort=-id&limit=3'),
    read('/store/orders?status=shipped&sort=-id&limit=1'),
    read('/store/orders?limit=1'),
    read('/pets?status=available&limit=1'),
    version === 'v2' ? read('/webhooks') : [],
  ]);
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
