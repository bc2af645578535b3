import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { orderStatuses } from '../../src/domain/vocabulary.ts';
import { integer } from '../../src/http/fields/field.ts';
import { type ColumnFilter, orderFilters } from '../../src/orders/order-filters.ts';
import { isServedByIndex, orderPage, orderSorts } from '../../src/orders/order-pages.ts';
import { anyEngine, engines } from '../support/engines.ts';
import { useService } from '../support/service.ts';

const ORDERS = 11_000;
const filters: Record<string, ColumnFilter | object> = orderFilters;

/** Only orders near both ends of both sort orders match. */
const matches = (id: number) => id > ORDERS - 3 || id < 4;

describe.each(engines)('a filter without an index on $name', (engine) => {
  const service = useService(engine);

  beforeAll(() => {
    filters.minQuantity = { field: integer([1, 1000], '', 1), column: 'quantity', operator: '>=' };
  });
  afterAll(() => {
    delete filters.minQuantity;
  });

  it.each(anyEngine.includes(engine) ? orderSorts : orderSorts.slice(0, 1))(
    'finds all matching orders in slices, sorted by %s',
    async (sort) => {
      const { database, deployment, openStore } = service();
      const { storeId } = await openStore();
      await database.exec(`
      DELETE FROM orders WHERE store_id = ${storeId};
      INSERT INTO orders (store_id, id, pet_id, quantity, ship_date, status, placed_at, updated_at, revision)
      WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${ORDERS})
      SELECT ${storeId}, n, 1, CASE WHEN n > ${ORDERS - 3} OR n < 4 THEN 9 ELSE 1 END, 1000 + n / 2, 'pending', 0, 0, 1
      FROM numbers`);
      const values = { minQuantity: 5n, shipDateFrom: 1001n };
      expect(isServedByIndex({ sort, values })).toBe(false);
      const ids = Array.from({ length: ORDERS }, (_, i) => i + 1).filter((id) => id > 1 && matches(id));
      const expected = sort.startsWith('-') ? ids.toReversed() : ids;

      const found: bigint[] = [];
      let slices = 0;
      let after: readonly [bigint, bigint] | undefined;
      for (let size = 3; size === 3; ) {
        const request = { storeId, statuses: orderStatuses, values, sort, after, limit: 3n };
        const page = [];
        for await (const slice of orderPage(deployment.db, request)) {
          slices++;
          page.push(...slice);
        }
        size = page.length;
        const last = page.at(-1);
        if (last) after = [last.ship_date, last.id];
        found.push(...page.map(({ id }) => id));
      }
      expect(found.map(Number)).toEqual(expected);
      expect(slices).toBeGreaterThan(3);
    },
  );
});
