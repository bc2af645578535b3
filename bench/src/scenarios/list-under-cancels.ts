import { pendingOrders, scattered } from '../data.ts';
import { requestBytes } from '../load/connection.ts';
import { steady } from '../load/steady.ts';
import type { Engine } from '../options.ts';
import type { Running } from '../processes.ts';
import { type Row, row } from '../row.ts';
import type { Context, Scenario } from '../scenario.ts';
import { interleave, LONG_WARM_UP_SECONDS, median, ratios } from '../statistics.ts';
import { startLimit } from '../subjects/limit.ts';
import { startPetstore } from '../subjects/petstore.ts';

const LISTS = { rate: 500, connections: 16 };
const MOST_TIMES = 3;
const CANCELS = { rate: 1_000, connections: 64 };

export const listUnderCancels: Scenario = {
  name: 'under-cancels',
  title: 'p99 of a small list while 1,000 cancels a second run',
  async run(context) {
    const rows: Row[] = [];
    for (const engine of context.options.engines) rows.push(...(await measure(context, engine)));
    return rows;
  },
};

async function measure({ options, data, progress }: Context, engine: Engine): Promise<Row[]> {
  const stores = await data.copy(await data.stores(engine));
  const { storeId, ids: pending } = await pendingOrders(stores.place);
  const ids = scattered(pending);
  const petstore = await startPetstore(stores.place, stores.small);
  const limit =
    engine === 'sqlite'
      ? await startLimit('bare-cancel-thread-server', (await data.copy(stores)).place, storeId)
      : undefined;
  const list = requestBytes('GET', '/v1/store/orders', { key: stores.small });
  const lists = { ...LISTS, next: () => list, expected: 200 };
  const cancelling = (left: string[]) => ({
    ...CANCELS,
    next: () => {
      const id = left.pop();
      if (id === undefined) return undefined;
      return requestBytes('DELETE', `/v1/store/orders/${id}`, { key: stores.large });
    },
    expected: 204,
  });
  let cancelled: number[] = [];
  const alone = async ({ port }: Running, seconds: number) =>
    (await steady(port, lists, (passed) => passed > seconds)).p99;
  const together = async ({ port }: Running, left: string[], seconds: number) => {
    const isOver = (passed: number) => passed > seconds;
    const [list, cancel] = await Promise.all([
      steady(port, lists, isOver),
      steady(port, cancelling(left), isOver),
    ]);
    return { p99: list.p99, rate: cancel.rate };
  };
  const limitIds = [...ids];
  // The tail of a short run is chance, so that these are longer.
  const p99 = await interleave(
    { ...options, seconds: Math.max(options.seconds, 1.5), warmUp: LONG_WARM_UP_SECONDS },
    {
      alone: async (seconds) => {
        progress(`${engine}: alone`);
        return alone(petstore, seconds);
      },
      together: async (seconds) => {
        progress(`${engine}: with cancels`);
        const { p99, rate } = await together(petstore, ids, seconds);
        cancelled.push(rate);
        return p99;
      },
      limitAlone: async (seconds) => {
        if (!limit) return Number.NaN;
        progress(`${engine}: the limit alone`);
        return alone(limit, seconds);
      },
      limitTogether: async (seconds) => {
        if (!limit) return Number.NaN;
        progress(`${engine}: the limit with cancels`);
        return (await together(limit, limitIds, seconds)).p99;
      },
    },
  );
  await Promise.all([petstore.stop(), limit?.stop()]);
  cancelled = cancelled.slice(1);
  const times = ratios(p99.together, p99.alone);
  const about = { scenario: 'under-cancels', engine, unit: '×' } as const;
  const rows = [
    row(
      {
        ...about,
        what: 'p99 of a small list under cancels, of alone',
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
  ];
  if (!limit) return rows;
  const figures = { togetherMs: median(p99.limitTogether), aloneMs: median(p99.limitAlone) };
  const what =
    'the limit: p99 of as many bytes by bare node:http under cancels by the bare driver on a thread, of alone';
  return [...rows, row({ ...about, what, figures }, ratios(p99.limitTogether, p99.limitAlone))];
}
