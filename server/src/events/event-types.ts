/** Everything that can happen to a store, as readers of its events are told. */
export const eventTypes = [
  'order.placed',
  'order.shipped',
  'order.delivered',
  'order.cancelled',
  'pet.created',
  'pet.changed',
  'store.reset',
] as const;
export type EventType = (typeof eventTypes)[number];
