import { describe, expect, it } from 'vitest';
import { everyCase } from '../support/effort.ts';
import { engines } from '../support/engines.ts';
import { listOrders } from '../support/orders.ts';
import { startProgram } from '../support/program.ts';
import { startService, useService } from '../support/service.ts';
import { clientOf } from '../support/v2.ts';
import { requestText, sendBytes, staging } from './support.ts';

const ORDERS = Number(process.env.LARGE ?? 10_000);

describe.each(engines)('a large reset on $name', (engine) => {
  // The entire list is buffered, so that its length is known before it is sent.
  const service = useService(engine, { ...staging, lists: { maxBytes: 2 ** 29, budget: 2 ** 29 } });

  it('runs while other stores and the old one are read and changed, and appears only when complete', async () => {
    const [store, other] = [await service().openStore(), await service().openStore()];
    const client = clientOf(service(), store);
    let done = false;
    const resetting = client('POST /v2/sandbox/reset', {
      body: { dataSet: 'large', orders: ORDERS },
    }).finally(() => {
      done = true;
    });
    let rounds = 0;
    const seen = new Set<number>();
    while (!done) {
      const placed = await clientOf(service(), other)('POST /v2/store/orders', {
        body: { petId: 5, quantity: 1 },
      });
      if (placed.status !== 201)
        expect([placed.status, placed.error().code]).toEqual([409, 'insufficient_stock']);
      seen.add((await listOrders(service(), store)).length);
      rounds++;
    }
    expect((await resetting).status).toBe(200);
    seen.add((await listOrders(service(), store)).length);
    expect([...seen].sort((a, b) => a - b)).toEqual([40, ORDERS]);
    expect(rounds).toBeGreaterThan(3);
  });

  it('has a list that is truncated in half and slowed like any other', async () => {
    const store = await service().openStore();
    await clientOf(service(), store)('POST /v2/sandbox/reset', {
      body: { dataSet: 'large', orders: ORDERS },
    });
    const text = async (...prefer: string[]) =>
      (
        await sendBytes(
          service(),
          requestText('GET /v1/store/orders', store, ['Connection: close', ...prefer]),
        )
      ).text;
    await text();
    const [head = '', body = ''] = (await text()).split('\r\n\r\n');
    expect(head).toContain(`content-length: ${body.length}`);
    const [cutHead, cut] = (await text('Prefer: fault=truncate')).split('\r\n\r\n');
    expect(cutHead).toContain(`content-length: ${body.length}`);
    expect(cut === body.slice(0, Math.floor(body.length / 2))).toBe(true);
    const begun = performance.now();
    const [, slow] = (await text('Prefer: fault=slow; ms=400')).split('\r\n\r\n');
    expect(performance.now() - begun).toBeGreaterThanOrEqual(399);
    expect(slow === body).toBe(true);
  });

  it('killed midway leaves the old store or the new one, and the rest is erased', async () => {
    await using database = await engine.create('staging');
    const seen: number[] = [];
    let key = '';
    const pauses = everyCase ? [0, 4, 12] : [4];
    for (const pause of pauses) {
      await using program = await startProgram([...database.flags, '--port', '0', '--log-level', 'silent']);
      key ||= program.key;
      const lost = program
        .request('POST /v2/sandbox/reset', {
          key,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ dataSet: 'large', orders: 1_000_000, seed: pause }),
        })
        .then(
          () => 'responded',
          () => 'lost',
        );
      // Killed once there are this many batches of another store's orders.
      await expect
        .poll(async () => Number((await database.rows('SELECT count(*) AS n FROM orders'))[0]?.n))
        .toBeGreaterThan(40 + pause * 1_000);
      await program.stop('SIGKILL');
      expect(await lost).toBe('lost');
      await using again = await startProgram([...database.flags, '--port', '0', '--log-level', 'silent']);
      const list = await again.request('GET /v1/store/orders', { key });
      seen.push(list.json<unknown[]>().length);
    }
    expect(seen).toEqual(pauses.map(() => 40));
    const later = () => Date.now() + 11 * 60_000;
    await using service = await startService(engine, { ...staging, database, now: later });
    await service.app.idle();
    expect(await database.rows('SELECT id FROM stores WHERE closed_at IS NOT NULL')).toEqual([]);
    expect(await database.rows('SELECT count(*) AS n FROM orders')).toEqual([{ n: 40n }]);
  });
});
