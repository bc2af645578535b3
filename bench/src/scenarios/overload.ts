import { closedLoop, describe, expectOnly } from '../load/closed-loop.ts';
import { requestBytes, send } from '../load/connection.ts';
import { type Row, row } from '../row.ts';
import type { Scenario } from '../scenario.ts';
import { interleave, LONG_WARM_UP_SECONDS, median } from '../statistics.ts';
import { startPetstore } from '../subjects/petstore.ts';

/** As many as keep it busy; each asks again at once, also after it was refused. */
const CONNECTIONS = 128;
const times = ['1', '2', '5', '10'] as const;
type Times = (typeof times)[number];
/** Somebody else, who asks for little. */
const MODEST = 4;

export const overload: Scenario = {
  name: 'overload',
  title: 'placeOrder by 1, 2, 5 and 10 times as many as keep it busy, of the most that was ever placed',
  async run({ options, data, progress }) {
    const rows: Row[] = [];
    for (const engine of options.engines) {
      const stores = await data.copy(await data.stores(engine));
      const petstore = await startPetstore(stores.place, stores.small);
      const change = (key: string, stock: number) =>
        requestBytes('PATCH', '/v2/pets/1', { key, body: JSON.stringify({ stock }) });
      await send(petstore.port, change(stores.small, 1_000_000_000));
      const place = requestBytes('POST', '/v2/store/orders', {
        key: stores.small,
        body: JSON.stringify({ petId: 1, quantity: 1 }),
      });
      const little = change(stores.large, 5);
      const under = (factor: Times) => async (seconds: number) => {
        progress(`${engine}: ${factor} ×`);
        const refusedAfter: number[] = [];
        const [many, few] = await Promise.all([
          closedLoop({
            port: petstore.port,
            connections: CONNECTIONS * Number(factor),
            seconds,
            next: () => place,
            answered: ({ status, total }) => {
              if (status === 503) refusedAfter.push(total);
            },
          }),
          closedLoop({ port: petstore.port, connections: MODEST, seconds, next: () => little }),
        ]);
        expectOnly(many, 201, 503);
        const { count, p99 } = describe(refusedAfter);
        return {
          placed: (many.statuses[201] ?? 0) / many.seconds,
          refused: count / many.seconds,
          refusedP99: p99,
          servedToTheModest: (few.statuses[200] ?? 0) / few.count,
        };
      };
      const subjects = Object.fromEntries(times.map((factor) => [factor, under(factor)])) as Record<
        Times,
        ReturnType<typeof under>
      >;
      const measured = await interleave({ ...options, warmUp: LONG_WARM_UP_SECONDS }, subjects);
      await petstore.stop();
      const placed = (factor: Times) => measured[factor].map((round) => round.placed);
      const most = Math.max(...times.map((factor) => median(placed(factor))));
      for (const factor of times) {
        const rounds = measured[factor];
        rows.push(
          row(
            {
              scenario: 'overload',
              engine,
              what: `orders placed at ${factor} ×, of the most`,
              unit: '×',
              figures: {
                placed: median(placed(factor)),
                refused: median(rounds.map(({ refused }) => refused)),
                servedToTheModest: Math.min(...rounds.map((round) => round.servedToTheModest)),
              },
            },
            placed(factor).map((rate) => rate / most),
            { atLeast: 0.8 },
          ),
        );
      }
      rows.push(
        row(
          { scenario: 'overload', engine, what: 'refusals at 10 ×, 99th percentile', unit: 'ms' },
          measured['10'].map(({ refusedP99 }) => refusedP99),
          { atMost: 100 },
        ),
      );
    }
    return rows;
  },
};
