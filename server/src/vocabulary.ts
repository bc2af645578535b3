/** The words that the database keeps. Columns, documents, checks and types derive from them. */

/** Every state an order can be in. */
export const orderStatuses = ['pending', 'shipped', 'delivered', 'cancelled'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** What a key may do: everything, or only what changes nothing. */
export const keyScopes = ['full', 'read'] as const;
export type KeyScope = (typeof keyScopes)[number];

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
