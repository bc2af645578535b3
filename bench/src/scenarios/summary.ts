import { pendingOrders, type Stores } from '../data.ts';
import { LoadConnection, requestBytes, send } from '../load/connection.ts';
import { steady } from '../load/steady.ts';
import { type Row, row } from '../row.ts';
import type { Scenario } from '../scenario.ts';
import { median, percentile } from '../statistics.ts';
import { startPetstore } from '../subjects/petstore.ts';

const PATH = '/v2/store/summary';
/** Changes before which a summary is asked for, each followed by asking again. */
const CHANGES = 200;

export const summary: Scenario = {
  name: 'summary',
  title: 'getSummary, 1,111,086 orders',
  async run({ options, data, progress }) {
    const rows: Row[] = [];
    for (const engine of options.engines) {
      const stores = await data.copy(await data.stores(engine));
      const { ids } = await pendingOrders(stores.place);
      const rounds = options.quick ? 1 : options.rounds;
      const starts: Awaited<ReturnType<typeof summaries>>[] = [];
      for (let round = 0; round < rounds; round++) {
        progress(`${engine}: start ${round + 1} of ${rounds}`);
        starts.push(await summaries(stores, ids.splice(0, CHANGES)));
      }
      const of = (figure: keyof (typeof starts)[number]) => starts.map((start) => start[figure]);
      const shared = { scenario: 'summary', engine, unit: 'ms' } as const;
      rows.push(
        row(
          { ...shared, what: 'summary after a change, p99', figures: { p50Ms: median(of('p50')) } },
          of('p99'),
          { atMost: 50 },
        ),
        row(
          {
            ...shared,
            what: "others' p99 while it is first counted",
            figures: { totalMs: median(of('first')) },
          },
          of('others'),
          { atMost: 50 },
        ),
      );
    }
    return rows;
  },
};

/** Asks for a summary that nobody asked for before, while others list a hundred; then after every change. */
async function summaries({ place, small, large }: Stores, ids: readonly string[]) {
  const petstore = await startPetstore(place, small);
  try {
    const next = () => requestBytes('GET', '/v1/store/orders', { key: small });
    const probe = { rate: 200, connections: 8, next, expected: 200 };
    // As in a service that has been up for a while.
    await steady(petstore.port, probe, (seconds) => seconds > 0.5);
    let isDone = false;
    const probing = steady(petstore.port, probe, () => isDone);
    const first = await send(petstore.port, requestBytes('GET', PATH, { key: large }));
    isDone = true;
    const { p99: others } = await probing;
    const times: number[] = [];
    const connection = await LoadConnection.open(petstore.port);
    for (const id of ids) {
      await connection.request(requestBytes('DELETE', `/v2/store/orders/${id}`, { key: large }));
      const begun = performance.now();
      const { status } = await connection.request(requestBytes('GET', PATH, { key: large }));
      if (status !== 200) throw new Error(`a summary was answered with ${status}`);
      times.push(performance.now() - begun);
    }
    connection.close();
    times.sort((a, b) => a - b);
    return { first: first.total, others, p50: percentile(times, 50), p99: percentile(times, 99) };
  } finally {
    await petstore.stop();
  }
}
