import { beforeAll, describe, expect, it } from 'vitest';
import { orderStatuses } from '../../src/domain/vocabulary.ts';
import { everyCase } from '../support/effort.ts';
import { anyEngine } from '../support/engines.ts';
import { useService } from '../support/service.ts';
import { allOrders, type Client, type Order, openClient, walk } from '../support/v2.ts';
import { parametersOf, selected } from './reference.ts';

const LIST = '/v2/store/orders';
const DAY = 86_400_000;
const OLD = Date.parse('2020-01-01T00:00:00Z');
const LATE = Date.parse('2031-01-01T00:00:00Z');
const COUNT = 20_000;

/** More orders than one slice: long stretches of IDs shipped long ago, or much later, or either. */
function manyOrders(storeId: bigint): string {
  const rows = Array.from({ length: COUNT }, (_, i) => {
    const id = 1 + i * 7;
    const scattered = (i * 7919) % 400;
    const start = i < 8_000 || (i >= 10_000 && i < 12_000) ? OLD : i < 18_000 ? LATE : i % 2 ? OLD : LATE;
    const status = orderStatuses[(i * 31) % 4];
    return `(${storeId}, ${id}, ${i % 8 === 0 ? 2 : 1}, 1, ${start + scattered * DAY}, '${status}', ${OLD}, ${OLD}, 1)`;
  });
  return `
    DELETE FROM orders WHERE store_id = ${storeId};
    INSERT INTO orders (store_id, id, pet_id, quantity, ship_date, status, placed_at, updated_at, revision) VALUES ${rows.join()};
    UPDATE stores SET next_order_id = ${COUNT * 8} WHERE id = ${storeId}`;
}

describe.each(anyEngine)('many orders in a date range, by ID, on $name', (engine) => {
  const service = useService(engine);
  let client: Client;
  let all: Order[];
  beforeAll(async () => {
    const opened = await openClient(service());
    client = opened.client;
    await service().database.exec(manyOrders(opened.store.storeId));
    // Ships now: the only one in a long stretch that is not of long ago.
    await client(`POST ${LIST}/${1 + 4 * 7}/ship`);
    // The last one of all.
    await client(`POST ${LIST}`, {
      body: { petId: 1n, quantity: 1n, shipDate: new Date(LATE + DAY).toISOString() },
    });
    all = await allOrders(client);
    expect(all).toHaveLength(COUNT + 1);
  });

  const ranges = [
    { shipDateFrom: '2020-02-01T00:00:00Z' },
    { shipDateFrom: '2020-02-01T00:00:00Z', shipDateTo: '2020-12-01T00:00:00Z' },
    { shipDateFrom: '2026-01-01T00:00:00Z', shipDateTo: '2031-12-01T00:00:00Z' },
  ];

  const filters = [
    { sort: 'id' },
    { sort: '-id', status: ['pending', 'shipped', 'delivered'] },
    { sort: 'id', petId: 2n },
    { sort: '-id', petId: 1n },
  ] as const;

  it.each(ranges.map((range, at) => ({ at, ...range })))(
    '200: every order from $shipDateFrom to $shipDateTo once, in both directions',
    async ({ at, ...range }) => {
      for (const filter of filters.filter((_, i) => everyCase || Math.floor(i / 2) === at % 2)) {
        const query = { ...range, ...filter };
        const expected = selected(all, query);
        expect(expected.length).toBeGreaterThan(500);
        expect(await walk<Order>(client, LIST, { ...parametersOf(query), limit: '1000' })).toEqual(expected);
      }
    },
  );
});
