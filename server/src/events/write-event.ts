import { writeDateTime } from '../http/content/date-time.ts';
import { recordedOrder } from '../orders/record-order-change.ts';
import { writeOrder } from '../orders/shown-order.ts';
import { recordedPet } from '../pets/record-pet-change.ts';
import { writePet } from '../pets/shown-pet.ts';
import type { EventRow } from './read-events.ts';

/** An event is the same everywhere and for ever. A reset is about nothing in particular. */
export function writeEvent(event: EventRow): string {
  const [order, pet] = [recordedOrder(event), recordedPet(event)];
  const data = order ? writeOrder(order) : pet ? writePet(pet) : '{}';
  return `{"id":"${event.revision}","type":"${event.type}","at":"${writeDateTime(event.at)}","data":${data}}`;
}
