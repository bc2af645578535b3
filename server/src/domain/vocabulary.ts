/** Values stored in the database. Columns, documents, checks and types derive from them. */

export const orderStatuses = ['pending', 'shipped', 'delivered', 'cancelled'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export const keyScopes = ['full', 'read'] as const;
export type KeyScope = (typeof keyScopes)[number];

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
