import { writeDateTime } from '../http/content/date-time.ts';
import { requireKnownStatus, states } from '../orders/states.ts';
import type { OrderStatus } from '../vocabulary.ts';

/** How v1 shows an order: exactly five fields. A cancelled order is not shown at all. */
export function writeOrder(order: {
  id: bigint;
  pet_id: bigint;
  quantity: bigint;
  ship_date: bigint;
  status: OrderStatus;
}): string | undefined {
  requireKnownStatus(order);
  if (order.status === 'cancelled') return undefined;
  return `{"id":${order.id},"petId":${order.pet_id},"quantity":${order.quantity},"shipDate":"${writeDateTime(order.ship_date)}","complete":${states[order.status].isComplete}}`;
}

/** How v1 shows a pet: exactly four fields. */
export function writePet(pet: { id: bigint; name: string; category: string; stock: bigint }): string {
  const status = pet.stock > 0n ? 'available' : 'sold';
  return `{"id":${pet.id},"name":${JSON.stringify(pet.name)},"category":${JSON.stringify(pet.category)},"status":"${status}"}`;
}
