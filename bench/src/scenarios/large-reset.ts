import { LoadConnection, requestBytes } from '../load/connection.ts';
import { steady } from '../load/steady.ts';
import { folder } from '../processes.ts';
import { type Row, row } from '../row.ts';
import type { Scenario } from '../scenario.ts';
import { createKey, type Place, startPetstore } from '../subjects/petstore.ts';

const OTHERS = { rate: 200, connections: 16, expected: 200 };
const deployment = 'staging';

export const largeReset: Scenario = {
  name: 'large-reset',
  title: 'a reset to a million orders, and what others notice of it',
  async run({ options, data, progress }) {
    const rows: Row[] = [];
    const orders = options.quick ? 100_000 : 1_000_000;
    for (const engine of options.engines) {
      const place: Place =
        engine === 'sqlite'
          ? { engine, data: folder('reset') }
          : { engine, url: await (await data.postgres()).createDatabase('reset') };
      const [mine, other] = [await createKey(place, deployment), await createKey(place, deployment)];
      const petstore = await startPetstore(place, other, { deployment });
      const list = requestBytes('GET', '/v1/store/orders', { key: other });
      const others = { ...OTHERS, next: () => list };
      const connection = await LoadConnection.open(petstore.port, { keep: true });
      try {
        progress(`${engine}: others alone`);
        const alone = await steady(petstore.port, others, (seconds) => seconds > options.seconds);
        progress(`${engine}: a reset to ${orders} orders`);
        const body = JSON.stringify({ dataSet: 'large', orders });
        let isDone = false;
        const resetting = connection
          .request(requestBytes('POST', '/v2/sandbox/reset', { key: mine, body }))
          .finally(() => {
            isDone = true;
          });
        const meanwhile = await steady(petstore.port, others, () => isDone);
        const { status, total } = await resetting;
        if (status !== 200) throw new Error(`the reset was answered with ${status}`);
        const what = `reset to ${orders.toLocaleString('en')} orders`;
        rows.push(
          row({ scenario: 'large-reset', engine, what, unit: 's' }, [total / 1000]),
          row(
            {
              scenario: 'large-reset',
              engine,
              what: `others' p99 during a ${what}`,
              unit: 'ms',
              figures: { p50Ms: meanwhile.p50, aloneP99Ms: alone.p99 },
            },
            [meanwhile.p99],
            { atMost: 50 },
          ),
        );
      } finally {
        connection.close();
        await petstore.stop();
      }
    }
    return rows;
  },
};
