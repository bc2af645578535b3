/** Each placement has its own `shipDate`. */
export interface Order {
  readonly id: number;
  readonly shipDate: string;
}

/** Acknowledged orders that are missing, replaced by another, or placed twice. */
export function lostOrders(acknowledged: readonly Order[], listed: readonly Order[]): string[] {
  const byShipDate = Map.groupBy(listed, ({ shipDate }) => shipDate);
  return acknowledged.flatMap(({ id, shipDate }) => {
    const ids = (byShipDate.get(shipDate) ?? []).map((order) => order.id);
    return ids.length === 1 && ids[0] === id ? [] : `${id} (found: ${ids.join(', ') || 'none'})`;
  });
}
