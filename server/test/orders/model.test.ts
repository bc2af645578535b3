import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { naiveSummary, summaryOf } from '../summary/count.ts';
import { tries } from '../support/effort.ts';
import { enginesAndLists, startService, useService } from '../support/service.ts';
import { clientOf, openClient, type Response, unitsOf } from '../support/v2.ts';
import { ModelStore, type Operation, seen, send, shown } from './model.ts';

const orderId = fc.integer({ min: 0, max: 52 });
const petId = fc.integer({ min: 0, max: 14 });
const placing = fc.record({
  kind: fc.constant('place' as const),
  petId,
  quantity: fc.integer({ min: 1, max: 20 }),
  key: fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined }),
});
const moving = fc.record({
  kind: fc.constantFrom('ship' as const, 'deliver' as const, 'cancel' as const),
  id: orderId,
  version: fc.constantFrom('v1' as const, 'v2' as const),
});
const restocking = fc.oneof(
  fc.record({ kind: fc.constant('create' as const), stock: fc.integer({ min: 0, max: 30 }) }),
  fc.record({ kind: fc.constant('restock' as const), petId, stock: fc.integer({ min: 0, max: 30 }) }),
);
const any: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 4, arbitrary: placing },
  { weight: 6, arbitrary: moving },
  { weight: 1, arbitrary: restocking },
);

describe.each(enginesAndLists)(
  'v1 and v2 together on $engine.name, lists $lists.how',
  ({ engine, lists }) => {
    const service = useService(engine, { lists });

    it('match a reference model, request by request', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(any, { minLength: 20, maxLength: 80 }), async (operations) => {
          const { client } = await openClient(service());
          const model = new ModelStore();
          for (const [i, operation] of operations.entries()) {
            const expected = model.apply(operation);
            const response = await send(client, operation);
            expect([operation, response.status]).toEqual([operation, expected.status]);
            if (expected.code) expect(response.error().code).toBe(expected.code);
            if (expected.body) expect(response.json()).toMatchObject(expected.body);
            if (i % 10 === 0) expect(await seen(client)).toEqual(shown(model));
            if (i % 10 === 5) expect(await summaryOf(client)).toEqual(await naiveSummary(client));
          }
          expect(await seen(client)).toEqual(shown(model));
          for (const { id, history } of model.orders) {
            const { data } = (await client(`GET /v2/store/orders/${id}/history`)).json<{
              data: { status: string }[];
            }>();
            expect([id, data.map(({ status }) => status)]).toEqual([id, history]);
          }
        }),
        tries(2),
      );
    });

    it('stay consistent under concurrent requests: no unit lost, one state per order, no 5xx', async () => {
      const batches = fc.array(fc.array(fc.oneof(placing, moving), { minLength: 5, maxLength: 40 }), {
        minLength: 1,
        maxLength: 4,
      });
      await using replica = await startService(engine, { lists, database: service().database });
      await fc.assert(
        fc.asyncProperty(batches, async (rounds) => {
          const { client, store } = await openClient(service());
          const clients = [client, clientOf(replica, store)];
          const units = await unitsOf(client);
          const counts = new Map<string, number>();
          for (const operations of rounds) {
            const responses = await Promise.all(
              operations.map((operation, i) => send(clients[i % 2] as typeof client, operation)),
            );
            for (const [i, operation] of operations.entries())
              plausible(operation, responses[i] as Response, counts);
            expect(await unitsOf(client)).toEqual(units);
            for (const reader of clients) expect(await summaryOf(reader)).toEqual(await naiveSummary(client));
          }
          const now = await seen(client);
          expect(now.ordersOfV1).toEqual(
            now.orders.filter(({ status }) => status !== 'cancelled').map(({ status: _, ...order }) => order),
          );
          // Responses match the outcome: each order went through exactly the confirmed transitions.
          for (const { id, status } of now.orders) {
            const was = (kind: string) => counts.get(`${kind} ${id}`) ?? 0;
            expect(was('cancel') + was('ship')).toBeLessThanOrEqual(1);
            if (id > 40n) {
              expect(was('place')).toBe(1);
              const expected = was('deliver')
                ? 'delivered'
                : was('ship')
                  ? 'shipped'
                  : was('cancel')
                    ? 'cancelled'
                    : 'pending';
              expect([id, status]).toEqual([id, expected]);
            }
          }
        }),
        tries(2),
      );
    });
  },
);

const codes: Record<string, readonly string[]> = {
  place: ['insufficient_stock', 'unknown_pet', 'idempotency_key_in_use', 'idempotency_key_reused'],
  cancel: ['not_found', 'order_already_shipped', 'order_already_cancelled'],
  ship: ['not_found', 'invalid_transition'],
  deliver: ['not_found', 'invalid_transition'],
};

/** Counts the changes of each order; a rejection must at least have a possible reason. */
function plausible(operation: Operation, response: Response, counts: Map<string, number>): void {
  if (response.status >= 300) {
    expect(codes[operation.kind], `${operation.kind} returned ${response.text}`).toContain(
      response.error().code,
    );
    return;
  }
  if (response.headers['idempotent-replayed']) return;
  const id =
    operation.kind === 'place' ? response.json<{ id: bigint }>().id : 'id' in operation ? operation.id : 0;
  const done = `${operation.kind} ${id}`;
  counts.set(done, (counts.get(done) ?? 0) + 1);
}
