import { randomUUID } from 'node:crypto';
import { once, type Suite } from '../../check.ts';
import type { Context } from '../../context.ts';
import {
  ensure,
  equal,
  expectError,
  expectNoHeader,
  expectSameBody,
  expectStatus,
  headerOf,
} from '../../expect.ts';
import { orderIn } from '../../v2.ts';
import { sectionOf } from './section.ts';

export function idempotencyChecks(suite: Suite, { v2 }: Context): void {
  const { check } = sectionOf(suite, v2, 'idempotency', '`Idempotency-Key`');
  const pet = once(() => v2.newPet(1000));
  const body = async (quantity = 1) => `{"petId":${await pet()},"quantity":${quantity}}`;
  const countOrders = async () =>
    (await v2.walk(`/store/orders?petId=${await pet()}&limit=1000`)).items.length;

  const countPlaced = async (work: () => Promise<void>) => {
    const before = await countOrders();
    await work();
    return (await countOrders()) - before;
  };

  check(
    'replay',
    'the same key and body get the first response again, with `Idempotent-Replayed: true`',
    async () => {
      const headers = { 'Idempotency-Key': randomUUID() };
      const placed = await countPlaced(async () => {
        const first = await v2.tryToPlace(await body(), headers);
        expectStatus(first, 201);
        expectNoHeader(first, 'Idempotent-Replayed');
        for (let times = 0; times < 2; times += 1) {
          const again = await v2.tryToPlace(await body(), headers);
          expectStatus(again, 201);
          expectSameBody(again, first);
          equal(headerOf(again, 'Location'), headerOf(first, 'Location'), 'Location', again.request);
          equal(headerOf(again, 'Idempotent-Replayed'), 'true', 'Idempotent-Replayed', again.request);
        }
      });
      equal(placed, 1, 'the number of orders:');
    },
  );
  check('stock-once', 'a replay takes no stock', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    expectStatus(await v2.tryToPlace(await body(2), headers), 201);
    const stock = await v2.stockOf(await pet());
    expectStatus(await v2.tryToPlace(await body(2), headers), 201);
    equal(await v2.stockOf(await pet()), stock, 'the stock');
  });
  check('first-answer', 'the first response is replayed, whatever has become of the order', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const first = await v2.tryToPlace(await body(), headers);
    expectStatus(await v2.send('DELETE', `/store/orders/${orderIn(first, 201).id}`), 204);
    expectSameBody(await v2.tryToPlace(await body(), headers), first);
  });
  check(
    'other-body',
    'the same key and another body is 422 `idempotency_key_reused`, and places nothing',
    async () => {
      const headers = { 'Idempotency-Key': randomUUID() };
      expectStatus(await v2.tryToPlace(await body(), headers), 201);
      const placed = await countPlaced(async () => {
        expectError(await v2.tryToPlace(await body(2), headers), 422, 'idempotency_key_reused');
      });
      equal(placed, 0, 'the number of orders:');
      expectStatus(await v2.tryToPlace(await body(), headers), 201);
    },
  );
  check(
    'at-once',
    'ten concurrent requests place one order: 201, or 409 `idempotency_key_in_use`',
    async () => {
      const headers = { 'Idempotency-Key': randomUUID() };
      const text = await body();
      const placed = await countPlaced(async () => {
        const responses = await Promise.all(Array.from({ length: 10 }, () => v2.tryToPlace(text, headers)));
        for (const response of responses) {
          if (response.status === 201)
            equal(orderIn(response, 201), orderIn(responses.find(isPlaced) ?? response, 201), 'the order');
          else expectError(response, 409, 'idempotency_key_in_use');
        }
        ensure(responses.some(isPlaced), 'one 201', responses.map(({ status }) => status).join());
      });
      equal(placed, 1, 'the number of orders:');
    },
  );
  check('without', 'without a key, or with another one, the same body is another order', async () => {
    const placed = await countPlaced(async () => {
      for (const headers of [
        {},
        {},
        { 'Idempotency-Key': randomUUID() },
        { 'Idempotency-Key': randomUUID() },
      ]) {
        expectStatus(await v2.tryToPlace(await body(), headers), 201);
      }
    });
    equal(placed, 4, 'the number of orders:');
  });
  check(
    'refusals',
    'a 409 `insufficient_stock` is replayed as well, even if the request would succeed now',
    async () => {
      const petId = await v2.newPet(1);
      const headers = { 'Idempotency-Key': randomUUID() };
      const text = `{"petId":${petId},"quantity":2}`;
      expectError(await v2.tryToPlace(text, headers), 409, 'insufficient_stock');
      expectStatus(await v2.send('PATCH', `/pets/${petId}`, '{"stock":5}'), 200);
      const again = await v2.tryToPlace(text, headers);
      expectError(again, 409, 'insufficient_stock');
      equal(headerOf(again, 'Idempotent-Replayed'), 'true', 'Idempotent-Replayed', again.request);
    },
  );
  check('invalid-forgotten', 'an invalid request is not stored: its key can be reused', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    expectError(await v2.tryToPlace('{"quantity":1}', headers), 400, 'invalid_body');
    expectStatus(await v2.tryToPlace(await body(), headers), 201);
  });
  check(
    'form',
    'a key is 1 to 255 plain characters: anything else is 400 `invalid_parameter`, and places nothing',
    async () => {
      const placed = await countPlaced(async () => {
        for (const key of ['', 'x'.repeat(256), 'caf\xe9']) {
          expectError(
            await v2.tryToPlace(await body(), { 'Idempotency-Key': key }),
            400,
            'invalid_parameter',
          );
        }
        const longest = { 'Idempotency-Key': randomUUID().padEnd(255, 'x') };
        expectStatus(await v2.tryToPlace(await body(), longest), 201);
      });
      equal(placed, 1, 'the number of orders:');
      const shortest = await v2.tryToPlace(await body(), { 'Idempotency-Key': '~' });
      // An earlier run may have used it.
      if (shortest.status !== 201) expectError(shortest, 422, 'idempotency_key_reused');
    },
  );
}

const isPlaced = ({ status }: { status: number }) => status === 201;
