import { writeDateTime } from '../http/content/date-time.ts';
import { writeOrder } from '../orders/shown-order.ts';
import { writePet } from '../pets/shown-pet.ts';
import { type EventRow, orderOf, petOf } from './read-events.ts';

/** How an event is shown, everywhere and for ever the same. A reset is about nothing in particular. */
export function writeEvent(event: EventRow): string {
  const [order, pet] = [orderOf(event), petOf(event)];
  const data = order ? writeOrder(order) : pet ? writePet(pet) : '{}';
  return `{"id":"${event.revision}","type":"${event.type}","at":"${writeDateTime(event.at)}","data":${data}}`;
}
