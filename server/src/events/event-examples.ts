import {
  deliveredOrderExample,
  orderExample,
  placedOrderExample,
  shippedOrderExample,
} from '../orders/shown-order.ts';
import { changedPetExample, createdPetExample } from '../pets/shown-pet.ts';
import type { EventType } from '../vocabulary.ts';

const event = (type: EventType, data: object, at = shippedOrderExample.updatedAt) => ({
  id: '17',
  type,
  at,
  data,
});
export const eventExamples = {
  'order.placed': event('order.placed', placedOrderExample, placedOrderExample.placedAt),
  'order.shipped': event('order.shipped', shippedOrderExample),
  'order.delivered': event('order.delivered', deliveredOrderExample, deliveredOrderExample.updatedAt),
  'order.cancelled': event('order.cancelled', {
    ...orderExample,
    status: 'cancelled',
    updatedAt: shippedOrderExample.updatedAt,
  }),
  'pet.created': event('pet.created', createdPetExample),
  'pet.changed': event('pet.changed', changedPetExample),
  'store.reset': event('store.reset', {}),
} satisfies Record<EventType, object>;
export const testMessage = { id: '0', type: 'webhook.test', at: shippedOrderExample.updatedAt, data: {} };
export const shippedEvent = eventExamples['order.shipped'];
export const eventPage = { data: [shippedEvent], nextCursor: shippedEvent.id };
export const serverSentEvent = {
  id: shippedEvent.id,
  event: shippedEvent.type,
  data: JSON.stringify(shippedEvent),
};
