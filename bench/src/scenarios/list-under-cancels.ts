import { pendingOrders, scattered } from '../data.ts';
import { requestBytes } from '../load/connection.ts';
import { steady } from '../load/steady.ts';
import { type Row, row } from '../row.ts';
import type { Scenario } from '../scenario.ts';
import { interleave, median, ratios } from '../statistics.ts';
import { startPetstore } from '../subjects/petstore.ts';

const LISTS = { rate: 500, connections: 16 };
const MOST_TIMES = 3;
const CANCELS = { rate: 1_000, connections: 64 };

export const listUnderCancels: Scenario = {
  name: 'under-cancels',
  title: 'p99 of a small list while 1,000 cancels a second run',
  async run({ options, data, progress }) {
    const rows: Row[] = [];
    for (const engine of options.engines) {
      const stores = await data.copy(await data.stores(engine));
      const ids = scattered((await pendingOrders(stores.place)).ids);
      const petstore = await startPetstore(stores.place, stores.small);
      const list = requestBytes('GET', '/v1/store/orders', { key: stores.small });
      const lists = { ...LISTS, next: () => list, expected: 200 };
      const cancels = {
        ...CANCELS,
        next: () => {
          const id = ids.pop();
          return id === undefined
            ? undefined
            : requestBytes('DELETE', `/v1/store/orders/${id}`, { key: stores.large });
        },
        expected: 204,
      };
      const until = (seconds: number) => (passed: number) => passed > seconds;
      // The tail of a short run is chance, so that these are longer.
      let cancelled: number[] = [];
      const p99 = await interleave(
        { ...options, seconds: Math.max(options.seconds, 1.5) },
        {
          alone: async (seconds) => {
            progress(`${engine}: alone`);
            return (await steady(petstore.port, lists, until(seconds))).p99;
          },
          together: async (seconds) => {
            progress(`${engine}: with cancels`);
            const [list, cancel] = await Promise.all([
              steady(petstore.port, lists, until(seconds)),
              steady(petstore.port, cancels, until(seconds)),
            ]);
            cancelled.push(cancel.rate);
            return list.p99;
          },
        },
      );
      await petstore.stop();
      cancelled = cancelled.slice(1);
      const times = ratios(p99.together, p99.alone);
      rows.push(
        row(
          {
            scenario: 'under-cancels',
            engine,
            what: 'p99 of a small list under cancels, of alone',
            unit: '×',
            note: 'holds only where every round does, and the cancels keep up with their rate',
            figures: {
              togetherMs: median(p99.together),
              aloneMs: median(p99.alone),
              cancelsASecond: median(cancelled),
            },
          },
          times,
          { atMost: MOST_TIMES },
          median(cancelled) >= 0.95 * CANCELS.rate && Math.max(...times) <= MOST_TIMES,
        ),
      );
    }
    return rows;
  },
};
