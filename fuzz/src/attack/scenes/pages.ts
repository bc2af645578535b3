import { attempt, countStatuses, runClients } from '../clients.ts';
import { production, type Scene } from '../scene.ts';
import { seedOrders, withDatabase } from '../seed.ts';

const DAY_MS = 86_400_000;

export const pages: readonly Scene[] = [
  {
    name: 'pages of a date range that few of {n} orders have, sorted by id',
    count: 200_000,
    allowedMegabytes: () => 32,
    async prepare(program, count) {
      const { origin } = production(program);
      const key = seedOrders(program, count);
      // Distant dates alternate, and the requested ones come last.
      withDatabase(program, (database) =>
        database.exec(`UPDATE orders SET ship_date = CASE
          WHEN id > ${count - 10} THEN ${1_000 * DAY_MS} WHEN id % 2 = 0 THEN ${DAY_MS} ELSE ${20_000 * DAY_MS} END
          WHERE store_id = (SELECT id FROM stores ORDER BY next_order_id DESC LIMIT 1)`),
      );
      const between = `shipDateFrom=${date(900)}&shipDateTo=${date(1_100)}`;
      return async () => {
        const responses = await runClients(4, 20, (index) =>
          attempt(origin, `/v2/store/orders?${between}&sort=${index % 2 ? '' : '-'}id&limit=1000`, { key }),
        );
        const slowest = Math.max(...responses.map(({ milliseconds }) => milliseconds));
        return {
          text: `${countStatuses(responses.map(({ status }) => status))}, ${Math.round(slowest)} ms at worst`,
        };
      };
    },
  },
  {
    name: '{n} concurrent inspector and event pages of maximum length',
    count: 40,
    allowedMegabytes: (count) => 2 * count,
    async prepare(program, count) {
      const { origin, key } = production(program);
      const name = 'x'.repeat(3_900);
      await runClients(16, 300, () =>
        attempt(origin, '/v2/pets', { method: 'POST', key, body: JSON.stringify({ name, category: 'x' }) }),
      );
      await runClients(16, 1_000, (index) =>
        attempt(origin, '/v2/pets/1', { method: 'PATCH', key, body: `{"stock":${1_000 + index}}` }),
      );
      return async () => {
        const paths = ['/v2/store/requests?limit=200', '/v2/store/events?after=0&limit=1000'];
        const responses = await runClients(count, 4 * count, (index) =>
          attempt(origin, paths[index % 2] ?? '', { key }),
        );
        const largest = Math.max(...responses.map(({ body }) => body.length));
        return {
          text: `${countStatuses(responses.map(({ status }) => status))}, ${Math.round(largest / 1024)} KB at most`,
        };
      };
    },
  },
];

const date = (day: number) => new Date(day * DAY_MS).toISOString();
