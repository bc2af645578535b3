import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tries } from '../support/effort.ts';
import { engines } from '../support/engines.ts';
import { useService } from '../support/service.ts';
import { allOrders, type Client, type Order, openClient, type Page } from '../support/v2.ts';
import { type OrderQuery, parametersOf, selected, sorts } from './reference.ts';

type Change = { place: string } | { cancel: number };

const DATES = ['2026-11-30T00:00:00Z', '2026-12-16T10:00:00Z', '2027-06-01T00:00:00Z'] as const;
const changes = fc.oneof(fc.record({ place: fc.constantFrom(...DATES) }), fc.record({ cancel: fc.nat(80) }));
const queries = fc.record({
  sort: fc.constantFrom(...sorts),
  status: fc.constantFrom(
    undefined,
    ['pending'],
    ['pending', 'cancelled'],
    ['shipped', 'delivered', 'cancelled'],
  ),
  shipDateFrom: fc.constantFrom(undefined, DATES[0]),
  shipDateTo: fc.constantFrom(undefined, DATES[2]),
}) as fc.Arbitrary<OrderQuery>;

async function applyChange(client: Client, change: Change): Promise<void> {
  if ('place' in change) {
    await client('POST /v2/store/orders', { body: { petId: 5, quantity: 1, shipDate: change.place } });
  } else await client(`DELETE /v2/store/orders/${change.cancel}`);
}

describe.each(engines)('a walk over pages on $name', (engine) => {
  const service = useService(engine);

  it('returns every order that matched throughout exactly once, despite concurrent changes', async () => {
    await fc.assert(
      fc.asyncProperty(
        queries,
        fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.array(changes, { maxLength: 3 })), {
          maxLength: 12,
        }),
        fc.boolean(),
        async (query, pages, atOnce) => {
          const { client } = await openClient(service());
          const before = await allOrders(client);
          const seen: Order[] = [];
          let cursor: string | null | undefined;
          for (const [limit, meanwhile] of [...pages, [1000, []] as [number, Change[]]]) {
            const parameters = { ...parametersOf(query), limit: String(limit), ...(cursor && { cursor }) };
            const page = client(`GET /v2/store/orders?${new URLSearchParams(parameters)}`);
            if (!atOnce) await page;
            await Promise.all(meanwhile.map((change) => applyChange(client, change)));
            const { data, nextCursor } = (await page).json<Page<Order>>();
            seen.push(...data);
            cursor = nextCursor;
            if (cursor === null) break;
          }
          const after = await allOrders(client);
          const ids = seen.map(({ id }) => id);
          expect(new Set(ids).size).toBe(ids.length);
          expect(seen).toEqual(selected(seen, { sort: query.sort }));
          const stayed = new Set(selected(after, query).map(({ id }) => id));
          const throughout = selected(before, query).filter(({ id }) => stayed.has(id));
          expect(ids).toEqual(expect.arrayContaining(throughout.map(({ id }) => id)));
          const ever = new Set([...selected(before, query), ...selected(after, query)].map(({ id }) => id));
          // Placed and cancelled again in between: neither before nor after, yet rightly seen.
          const placedMeanwhile = (id: bigint) => id > 40n;
          expect(ids.filter((id) => !ever.has(id) && !placedMeanwhile(id))).toEqual([]);
        },
      ),
      tries(15),
    );
  });
});
