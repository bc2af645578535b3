import { fileURLToPath } from 'node:url';
import { largeStoreId, type Stores } from '../data.ts';
import { closedLoop, expectOnly } from '../load/closed-loop.ts';
import { requestBytes, send } from '../load/connection.ts';
import type { Engine } from '../options.ts';
import { type Running, run } from '../processes.ts';
import { type Row, row } from '../row.ts';
import type { Context, Scenario } from '../scenario.ts';
import { interleave, LONG_WARM_UP_SECONDS, median, ratios } from '../statistics.ts';
import { startLimit } from '../subjects/limit.ts';
import { startPetstore } from '../subjects/petstore.ts';

const CONNECTIONS = 64;
const PET = 1;
const ENOUGH = 100_000_000;

export const place: Scenario = {
  name: 'place',
  barOn: 'each engine',
  title: 'placeOrder, 64 connections, each on disk before its 201',
  async run(context) {
    const rows: Row[] = [];
    for (const engine of context.options.engines) rows.push(...(await measure(context, engine)));
    return rows;
  },
};

/** On SQLite against the least that a service could do; on PostgreSQL against one commit each. */
async function measure({ options, data, progress }: Context, engine: Engine): Promise<Row[]> {
  progress(`${engine}: copying the data`);
  const stores = await data.stores(engine);
  const [ours, theirs] = [await data.copy(stores), await data.copy(stores)];
  // A million orders are there already.
  const flags = ['--max-orders', 'none'];
  await stockUp(theirs, flags);
  const petstore = await startPetstore(ours.place, ours.large, { flags });
  await stock(petstore, ours.large);
  const storeId = await largeStoreId(ours.place);
  const isHere = engine === 'sqlite';
  const limit = isHere ? await startLimit('bare-place-server', theirs.place, storeId) : undefined;
  const thread = isHere ? await startThread(await data.copy(stores), storeId, flags) : undefined;
  const p99: number[] = [];
  const rates = await interleave(
    { ...options, warmUp: LONG_WARM_UP_SECONDS },
    {
      petstore: async (seconds) => {
        progress(`${engine}: petstore`);
        const measured = await placeMany(petstore, ours.large, seconds);
        p99.push(measured.p99);
        return measured.rate;
      },
      other: async (seconds) => {
        progress(`${engine}: ${limit ? 'the limit' : 'one commit each'}`);
        return limit ? (await placeMany(limit, ours.large, seconds)).rate : oneEach(theirs, storeId, seconds);
      },
      thread: async (seconds) => {
        if (!thread) return Number.NaN;
        progress(`${engine}: the limit with a thread`);
        return (await placeMany(thread, ours.large, seconds)).rate;
      },
    },
  );
  await Promise.all([petstore.stop(), limit?.stop(), thread?.stop()]);
  const against = limit
    ? 'the limit: bare node:http and the bare driver, a group a commit'
    : 'one commit each by the bare driver';
  const figures = { petstore: median(rates.petstore), other: median(rates.other) };
  const about = { scenario: 'place', engine, unit: '×' } as const;
  const rows = [
    row(
      { ...about, what: `placements, of ${against}`, figures: { ...figures, p99Ms: median(p99.slice(1)) } },
      ratios(rates.petstore, rates.other),
      { atLeast: limit ? 0.6 : 2 },
    ),
  ];
  if (!thread) return rows;
  const withThread = { petstore: figures.petstore, thread: median(rates.thread) };
  const what = 'placements, of the limit with a thread, a look at the key and a line of log';
  return [...rows, row({ ...about, what, figures: withThread }, ratios(rates.petstore, rates.thread))];
}

/** By the service itself, which keeps what it keeps of a pet right. */
async function stockUp(stores: Stores, flags: readonly string[]): Promise<void> {
  const petstore = await startPetstore(stores.place, stores.large, { flags });
  await stock(petstore, stores.large);
  await petstore.stop();
}

async function stock({ port }: Running, key: string): Promise<void> {
  const body = JSON.stringify({ stock: ENOUGH });
  const { status } = await send(port, requestBytes('PATCH', `/v2/pets/${PET}`, { key, body }));
  if (status !== 200) throw new Error(`the stock could not be set: ${status}`);
}

async function placeMany({ port }: Running, key: string, seconds: number) {
  const request = requestBytes('POST', '/v2/store/orders', {
    key,
    body: JSON.stringify({ petId: PET, quantity: 1 }),
  });
  return expectOnly(await closedLoop({ port, connections: CONNECTIONS, seconds, next: () => request }), 201);
}

async function startThread(stores: Stores, storeId: bigint, flags: readonly string[]): Promise<Running> {
  await stockUp(stores, flags);
  return startLimit('bare-place-thread-server', stores.place, storeId);
}

/** Placements a second by a program that does nothing else. */
async function oneEach({ place }: Stores, storeId: bigint, seconds: number): Promise<number> {
  if (place.engine !== 'postgres') throw new Error('only PostgreSQL is measured so');
  const args = [program('bare-place-postgres'), place.url, String(storeId), String(PET), String(seconds)];
  const { count, elapsed } = JSON.parse(await run({ command: process.execPath, args })) as {
    count: number;
    elapsed: number;
  };
  return count / elapsed;
}

function program(name: string): string {
  return fileURLToPath(new URL(`../subjects/${name}.ts`, import.meta.url));
}
