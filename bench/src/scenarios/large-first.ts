import type { Stores } from '../data.ts';
import { requestBytes, send } from '../load/connection.ts';
import { steady } from '../load/steady.ts';
import { memoryOf, watchMemory } from '../processes.ts';
import { type Row, row } from '../row.ts';
import type { Scenario } from '../scenario.ts';
import { median } from '../statistics.ts';
import { startPetstore } from '../subjects/petstore.ts';

const PATH = '/v1/store/orders';

export const largeFirst: Scenario = {
  name: 'first',
  title: 'listOrders, 1,000,000 orders, first time after a start',
  async run({ options, data, progress }) {
    const rows: Row[] = [];
    for (const engine of options.engines) {
      const stores = await data.stores(engine);
      const starts: Awaited<ReturnType<typeof firstList>>[] = [];
      const rounds = options.quick ? 1 : options.rounds;
      for (let round = 0; round < rounds; round++) {
        progress(`${engine}: start ${round + 1} of ${rounds}`);
        starts.push(await firstList(stores));
      }
      const of = (figure: keyof (typeof starts)[number]) => starts.map((start) => start[figure]);
      const shared = { scenario: 'first', engine };
      rows.push(
        row(
          {
            ...shared,
            what: 'first list of a million, first byte',
            unit: 'ms',
            figures: { totalMs: median(of('total')) },
          },
          of('firstByte'),
          { atMost: 300 },
        ),
        row({ ...shared, what: "others' p99 meanwhile", unit: 'ms' }, of('p99'), { atMost: 50 }),
        row({ ...shared, what: 'memory for the first list, of the body', unit: '×' }, of('growth'), {
          atMost: 1.5,
        }),
      );
    }
    return rows;
  },
};

/** Lists a million orders that nobody listed before, while others list a hundred, 200 times a second. */
async function firstList({ place, small, large }: Stores) {
  const petstore = await startPetstore(place, small);
  try {
    const next = () => requestBytes('GET', PATH, { key: small });
    const probe = { rate: 200, connections: 8, next, expected: 200 };
    // As in a service that has been up for a while.
    await steady(petstore.port, probe, (seconds) => seconds > 0.5);
    const idle = memoryOf(petstore.pid);
    const peak = watchMemory(petstore.pid);
    let isDone = false;
    const probing = steady(petstore.port, probe, () => isDone);
    const list = await send(petstore.port, requestBytes('GET', PATH, { key: large }));
    const growth = (peak() - idle) / list.length;
    isDone = true;
    const { p99 } = await probing;
    return { firstByte: list.firstByte, total: list.total, p99, growth };
  } finally {
    await petstore.stop();
  }
}
