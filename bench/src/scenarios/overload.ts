import { closedLoop, expectOnly } from '../load/closed-loop.ts';
import { requestBytes, send } from '../load/connection.ts';
import { type Row, row } from '../row.ts';
import type { Scenario } from '../scenario.ts';
import { interleave, median, percentile } from '../statistics.ts';
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
      const refusedAfter: number[] = [];
      const served: number[] = [];

      const under = (factor: Times) => async (seconds: number) => {
        progress(`${engine}: ${factor} ×`);
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
        served.push((few.statuses[200] ?? 0) / few.count);
        return (many.statuses[201] ?? 0) / many.seconds;
      };
      const subjects = Object.fromEntries(times.map((factor) => [factor, under(factor)])) as Record<
        Times,
        (seconds: number) => Promise<number>
      >;
      const goodput = await interleave(options, subjects);
      await petstore.stop();
      const most = Math.max(...times.map((factor) => median(goodput[factor])));
      const refusedP99Ms = percentile(
        refusedAfter.sort((a, b) => a - b),
        99,
      );
      for (const factor of times) {
        rows.push(
          row(
            {
              scenario: 'overload',
              engine,
              what: `orders placed at ${factor} ×, of the most`,
              unit: '×',
              note: 'refusals come within 100 ms where the machine itself keeps up',
              figures: {
                petstore: median(goodput[factor]),
                refusedP99Ms,
                servedToTheModest: Math.min(...served),
              },
            },
            goodput[factor].map((rate) => rate / most),
            { atLeast: 0.8 },
          ),
        );
      }
    }
    return rows;
  },
};
