import { type EventRow, orderOf, petOf } from '../events/read-events.ts';
import { writeDateTime } from '../http/content/date-time.ts';
import type { Order } from '../orders/order.ts';
import type { Moment } from '../orders/order-history.ts';
import { isComplete, requireKnownStatus } from '../orders/states.ts';
import type { Pet } from '../pets/pet.ts';

/** How v2 shows an order, cancelled ones included. */
export function writeOrder(order: Order): string {
  requireKnownStatus(order);
  return (
    `{"id":${order.id},"petId":${order.pet_id},"quantity":${order.quantity},` +
    `"shipDate":"${writeDateTime(order.ship_date)}","complete":${isComplete(order.status)},` +
    `"status":"${order.status}","placedAt":"${writeDateTime(order.placed_at)}",` +
    `"updatedAt":"${writeDateTime(order.updated_at)}"}`
  );
}

/** How v2 shows a pet. */
export function writePet(pet: Pet): string {
  return (
    `{"id":${pet.id},"name":${JSON.stringify(pet.name)},"category":${JSON.stringify(pet.category)},` +
    `"status":"${pet.stock > 0n ? 'available' : 'sold'}","stock":${pet.stock}}`
  );
}

export function writeHistory(states: readonly Moment[]): string {
  return `{"data":[${states.map(({ status, at }) => `{"status":"${status}","at":"${writeDateTime(at)}"}`).join()}]}`;
}

export function writePage(rows: readonly string[], nextCursor: string | null): string {
  return `{"data":[${rows.join()}],"nextCursor":${JSON.stringify(nextCursor)}}`;
}

/** How an event is shown, everywhere and for ever the same. A reset is about nothing in particular. */
export function writeEvent(event: EventRow): string {
  const [order, pet] = [orderOf(event), petOf(event)];
  const data = order ? writeOrder(order) : pet ? writePet(pet) : '{}';
  return `{"id":"${event.revision}","type":"${event.type}","at":"${writeDateTime(event.at)}","data":${data}}`;
}
