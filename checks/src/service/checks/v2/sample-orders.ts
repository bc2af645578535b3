import { expectStatus } from '../../expect.ts';
import type { Order, V2 } from '../../v2.ts';

/** Orders with known states and dates, to be filtered and sorted. No other check orders their pet. */
export type SampleOrders = { petId: bigint; orders: Order[]; path: string };

/** Ship dates. The first three are each used twice, to test ties; `last` is a millisecond after `later`. */
export const dates = {
  early: '2031-02-01T00:00:00.000Z',
  middle: '2031-03-01T00:00:00.000Z',
  later: '2031-03-02T00:00:00.000Z',
  last: '2031-03-02T00:00:00.001Z',
};

export async function createSampleOrders(v2: V2): Promise<SampleOrders> {
  const petId = await v2.newPet(1000);
  const shipDates = [
    dates.middle,
    dates.later,
    dates.later,
    dates.early,
    dates.middle,
    dates.early,
    dates.last,
  ];
  const placed: Order[] = [];
  for (const [index, date] of shipDates.entries()) placed.push(await v2.place(petId, index + 1, date));
  const [, cancelled, shipped, delivered] = placed;
  expectStatus(await v2.send('DELETE', `/store/orders/${cancelled?.id}`), 204);
  for (const order of [shipped, delivered]) {
    expectStatus(await v2.send('POST', `/store/orders/${order?.id}/ship`), 200);
  }
  expectStatus(await v2.send('POST', `/store/orders/${delivered?.id}/deliver`), 200);
  const orders: Order[] = [];
  for (const { id } of placed) orders.push(await v2.order(id));
  return { petId, orders, path: `/store/orders?petId=${petId}` };
}
