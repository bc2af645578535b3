import type { Suite } from '../../check.ts';
import type { Context } from '../../context.ts';
import { ensure, equal, expectError, expectStatus, jsonOf } from '../../expect.ts';
import { objectOf } from '../../v2.ts';
import { sectionOf } from './section.ts';

export function stockChecks(suite: Suite, { v2, client }: Context): void {
  const { check } = sectionOf(suite, v2, 'stock', 'stock');
  const act = (id: bigint, verb: string) => v2.send('POST', `/store/orders/${id}/${verb}`);
  const cancel = (id: bigint) => v2.send('DELETE', `/store/orders/${id}`);

  check('placing', 'placing an order takes its units from the stock', async () => {
    const petId = await v2.newPet(10);
    await v2.place(petId, 4);
    equal(await v2.stockOf(petId), 6n, 'the stock');
  });
  check('cancelling', 'cancelling an order returns its units to the stock, in v2 and in v1', async () => {
    const petId = await v2.newPet(10);
    const [first, second] = [await v2.place(petId, 4), await v2.place(petId, 3)];
    expectStatus(await cancel(first.id), 204);
    equal(await v2.stockOf(petId), 7n, 'the stock');
    expectStatus(await client.send({ method: 'DELETE', path: `/store/orders/${second.id}` }), 204);
    equal(await v2.stockOf(petId), 10n, 'the stock');
    expectError(await cancel(first.id), 409, 'order_already_cancelled');
    equal(await v2.stockOf(petId), 10n, 'the stock after a second cancel');
  });
  check('shipping', 'shipping and delivering do not change the stock', async () => {
    const petId = await v2.newPet(10);
    const { id } = await v2.place(petId, 4);
    for (const verb of ['ship', 'deliver']) {
      expectStatus(await act(id, verb), 200);
      equal(await v2.stockOf(petId), 6n, `the stock after ${verb}`);
    }
    expectError(await cancel(id), 409, 'order_already_shipped');
    equal(await v2.stockOf(petId), 6n, 'the stock after a rejected cancel');
  });
  check(
    'sold',
    '`status` is `sold` when `stock` is 0, in v1 as well, and `available` again after a cancel',
    async () => {
      const petId = await v2.newPet(2);
      const { id } = await v2.place(petId, 2);
      const statuses = async () => {
        const inV1 = jsonOf(await client.send({ path: `/pets/${petId}` })) as { status: string };
        return [objectOf(await v2.get(`/pets/${petId}`)).status, inV1.status];
      };
      equal(await statuses(), ['sold', 'sold'], 'the status');
      expectStatus(await cancel(id), 204);
      equal(await statuses(), ['available', 'available'], 'the status');
    },
  );
  check(
    'never-negative',
    '“never negative”: of ten concurrent orders for five units, five are 409',
    async () => {
      const petId = await v2.newPet(5);
      const body = `{"petId":${petId},"quantity":1}`;
      const responses = await Promise.all(Array.from({ length: 10 }, () => v2.tryToPlace(body)));
      for (const response of responses)
        if (response.status !== 201) expectError(response, 409, 'insufficient_stock');
      equal(responses.filter(({ status }) => status === 201).length, 5, 'the number of orders:');
      equal(await v2.stockOf(petId), 0n, 'the stock');
    },
  );
  check(
    'never-lost',
    '“never lost”: stock plus units in open orders is constant under concurrent requests',
    async () => {
      const petId = await v2.newPet(40);
      const work = async (units: number) => {
        const { id } = await v2.place(petId, units);
        await Promise.all([cancel(id), act(id, 'ship'), cancel(id)]);
        if (units % 2 === 0) await act(id, 'deliver');
      };
      await Promise.all([1, 2, 3, 4, 5, 6].map(work));
      const { items } = await v2.walk(`/store/orders?petId=${petId}&status=pending,shipped,delivered`);
      const units = items.reduce((sum, { quantity }) => sum + (quantity as bigint), 0n);
      const stock = await v2.stockOf(petId);
      ensure(stock + units === 40n, 'stock and units that add up to 40', `${stock} and ${units}`);
    },
  );
}
