import type { EventType } from '../events/event-types.ts';

/** The examples of the document, as the demonstration data has it: sent as they are, requests succeed on a new store. */
export const shownPet = { id: 1, name: 'Rex', category: 'dog', status: 'available', stock: 24 };
export const petInput = { name: 'Luna', category: 'cat', stock: 3 };
export const createdPet = { id: 13, name: 'Luna', category: 'cat', status: 'available', stock: 3 };
export const petPatch = { stock: 40 };
export const changedPet = { ...shownPet, ...petPatch };

export const orderInput = { petId: shownPet.id, quantity: 2, shipDate: '2026-12-07T10:00:00Z' };
export const placedOrder = {
  id: 41,
  ...orderInput,
  shipDate: '2026-12-07T10:00:00.000Z',
  complete: false,
  status: 'pending',
  placedAt: '2026-12-01T09:30:00.000Z',
  updatedAt: '2026-12-01T09:30:00.000Z',
};
/** A pending order of a new store. */
export const shownOrder = { ...placedOrder, id: 2, petId: 11, quantity: 5 };
export const shippedOrder = {
  ...placedOrder,
  id: 4,
  petId: 9,
  quantity: 4,
  shipDate: '2026-12-07T08:15:00.000Z',
  status: 'shipped',
  updatedAt: '2026-12-07T08:15:00.000Z',
};
export const deliveredOrder = {
  ...shippedOrder,
  id: 3,
  petId: 4,
  quantity: 2,
  complete: true,
  status: 'delivered',
  updatedAt: '2026-12-09T14:00:00.000Z',
};
/** An order of a new store that has been delivered. */
export const COMPLETED_ORDER_ID = 1;
export const orderHistory = {
  data: [placedOrder, shippedOrder, deliveredOrder].map(({ status, updatedAt }) => ({
    status,
    at: updatedAt,
  })),
};

const counts = { pending: 1, shipped: 0, delivered: 0, cancelled: 0 };
export const summary = {
  orders: counts,
  weeks: [{ week: '2026-12-07', ...counts }],
  stock: [{ petId: shownPet.id, stock: shownPet.stock }],
  revision: 17,
};

export const cursorExample = 'AAABm4YxPwAAAAAAAAAAKZf2kQ3vXc8yTq1bJ0sWm9E';
export const orderPage = { data: [shownOrder], nextCursor: cursorExample };
export const petPage = { data: [shownPet], nextCursor: cursorExample };
/** Where a list goes on, as its `Link` header says it. */
export const nextPage = (path: string) => `<${path}?limit=1&cursor=${cursorExample}>; rel="next"`;

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

export const webhookUrlExample = 'https://example.com/hook';
export const webhook = {
  id: 'wh_4fZqP0sXc81LmTnB',
  url: webhookUrlExample,
  types: ['order.placed', 'order.shipped'],
  active: true,
  createdAt: '2026-12-01T09:00:00.000Z',
};
export const webhookInput = { url: webhook.url, types: webhook.types };
export const newWebhook = { ...webhook, secret: 'whsec_0pOmQ2Zk5bq3Yt8mK1xw7h6nE4cR9aVd0sJfLuTgXyA=' };
export const delivery = {
  id: 3,
  event: shippedEvent,
  status: 'delivered',
  attempts: [{ at: '2026-12-07T08:15:00.120Z', status: 204, durationMs: 41, answer: '', error: null }],
  nextAttemptAt: null,
  createdAt: '2026-12-07T08:15:00.050Z',
};

export const inspectedRequest = {
  id: '1883905868595200000',
  at: '2026-12-07T08:15:00.000Z',
  method: 'POST',
  path: `/v2/store/orders/${shippedOrder.id}/ship`,
  operation: 'shipOrder',
  status: 409,
  error: 'invalid_transition',
  durationMs: 1.204,
  requestId: '3f1c8d4e-5b0a-4a57-9a55-0a8f6c1f0b3d',
  keyId: 'key_8s3KfQx0bZ1mTn4P',
  userAgent: 'curl/8.14.1',
  requestBody: null,
  answerBody: '{"code":"invalid_transition","message":"…","status":409}',
};
