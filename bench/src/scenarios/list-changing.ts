import { closedLoop, expectOnly } from '../load/closed-loop.ts';
import { requestBytes } from '../load/connection.ts';
import { ownRate } from '../load/rate.ts';
import type { Running } from '../processes.ts';
import { type Row, row } from '../row.ts';
import type { Scenario } from '../scenario.ts';
import { interleave, median, ratios } from '../statistics.ts';
import { hasV2, startPetstore } from '../subjects/petstore.ts';

const CONNECTIONS = 64;
const LISTS_A_CHANGE = 10;

export const listChanging: Scenario = {
  name: 'changing',
  title: 'the same with one change for every ten lists',
  async run({ options, data, progress }) {
    const rows: Row[] = [];
    for (const engine of options.engines) {
      const stores = await data.copy(await data.stores(engine));
      const petstore = await startPetstore(stores.place, stores.small);
      try {
        // Only placing what is then cancelled keeps the list at its length.
        if (!(await hasV2(petstore, stores.small))) continue;
        const headers = { Authorization: `Bearer ${stores.small}` };
        const target = { port: petstore.port, path: '/v1/store/orders', headers, expected: 200 };
        const rates = await interleave(options, {
          unchanged: (seconds) => {
            progress(`${engine}: unchanged`);
            return ownRate(target, seconds);
          },
          changing: (seconds) => {
            progress(`${engine}: changing`);
            return changingRate(petstore, stores.small, seconds);
          },
        });
        rows.push(
          row(
            {
              scenario: 'changing',
              engine,
              what: 'lists with a change for every ten, of unchanged',
              unit: '×',
              figures: { changing: median(rates.changing), unchanged: median(rates.unchanged) },
            },
            ratios(rates.changing, rates.unchanged),
            { atLeast: engine === 'sqlite' ? 0.5 : 0.45 },
          ),
        );
      } finally {
        await petstore.stop();
      }
    }
    return rows;
  },
};

/** Lists a second while each connection, after every ten lists, places an order or cancels the one it placed. */
async function changingRate({ port }: Running, key: string, seconds: number): Promise<number> {
  const list = requestBytes('GET', '/v1/store/orders', { key });
  // The fish have stock enough for every connection to hold one order.
  const place = requestBytes('POST', '/v2/store/orders', { key, body: '{"petId":5,"quantity":1}' });
  const asked = new Array<number>(CONNECTIONS).fill(0);
  const placed = new Array<string | undefined>(CONNECTIONS).fill(undefined);
  let lists = 0;
  const measured = await closedLoop({
    port,
    connections: CONNECTIONS,
    seconds,
    next(connection) {
      const turn = (asked[connection] as number) % (LISTS_A_CHANGE + 1);
      (asked[connection] as number)++;
      if (turn < LISTS_A_CHANGE) return list;
      const id = placed[connection];
      placed[connection] = undefined;
      return id === undefined ? place : requestBytes('DELETE', `/v1/store/orders/${id}`, { key });
    },
    answered({ status, head }, connection) {
      if (status === 200) lists++;
      if (status === 201) placed[connection] = /\r\nlocation: \S*\/(\d+)\r\n/i.exec(head)?.[1];
    },
  });
  expectOnly(measured, 200, 201, 204);
  const left = placed.filter((id) => id !== undefined);
  await closedLoop({
    port,
    connections: 1,
    seconds: 60,
    next: () => {
      const id = left.pop();
      return id === undefined ? undefined : requestBytes('DELETE', `/v1/store/orders/${id}`, { key });
    },
  });
  return lists / measured.seconds;
}
