import { deliveredOrder, placedOrder, shippedOrder, shownOrder } from '../orders/shown-order.ts';
import { changedPet, createdPet } from '../pets/shown-pet.ts';
import type { EventType } from '../vocabulary.ts';

const event = (type: EventType, data: object, at = shippedOrder.updatedAt) => ({ id: '17', type, at, data });
export const eventExamples = {
  'order.placed': event('order.placed', placedOrder, placedOrder.placedAt),
  'order.shipped': event('order.shipped', shippedOrder),
  'order.delivered': event('order.delivered', deliveredOrder, deliveredOrder.updatedAt),
  'order.cancelled': event('order.cancelled', {
    ...shownOrder,
    status: 'cancelled',
    updatedAt: shippedOrder.updatedAt,
  }),
  'pet.created': event('pet.created', createdPet),
  'pet.changed': event('pet.changed', changedPet),
  'store.reset': event('store.reset', {}),
} satisfies Record<EventType, object>;
export const testMessage = { id: '0', type: 'webhook.test', at: shippedOrder.updatedAt, data: {} };
export const shippedEvent = eventExamples['order.shipped'];
export const eventPage = { data: [shippedEvent], nextCursor: shippedEvent.id };
export const serverSentEvent = {
  id: shippedEvent.id,
  event: shippedEvent.type,
  data: JSON.stringify(shippedEvent),
};
