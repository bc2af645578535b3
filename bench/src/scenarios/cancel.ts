import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pendingOrders, scattered } from '../data.ts';
import { closedLoop, expectOnly } from '../load/closed-loop.ts';
import { requestBytes } from '../load/connection.ts';
import type { Engine, Options } from '../options.ts';
import { canSlowFlushes, folder, type Running, run } from '../processes.ts';
import { type Row, row } from '../row.ts';
import type { Context, Scenario } from '../scenario.ts';
import { interleave, LONG_WARM_UP_SECONDS, median, ratios } from '../statistics.ts';
import { startLimit } from '../subjects/limit.ts';
import { databaseFile, type Place, startPetstore } from '../subjects/petstore.ts';

const CONNECTIONS = 64;
const bars = { sqlite: 3, postgres: 2 } as const;

/** Which orders are cancelled one after the other, and on what a disk. */
interface Way {
  readonly what: string;
  readonly sorted: (ids: string[]) => string[];
  /** Milliseconds that a flush takes more than it does here. */
  readonly slowFlushes?: number;
  /** Whether the least that such a service could do is measured beside it. */
  readonly withLimit?: boolean;
}

export const cancel: Scenario = {
  name: 'cancel',
  barOn: 'each engine',
  title: 'cancelOrder, 64 connections, each on disk before its 204',
  async run(context) {
    const rows: Row[] = [];
    for (const engine of context.options.engines) {
      for (const way of waysOf(engine, context.options)) rows.push(...(await measure(context, engine, way)));
    }
    return rows;
  },
};

function waysOf(engine: Engine, { quick }: Options): Way[] {
  const isHere = engine === 'sqlite';
  const inOrder = (ids: string[]) => ids;
  return [
    { what: 'cancels', sorted: inOrder, withLimit: isHere },
    ...(isHere && canSlowFlushes
      ? [{ what: 'cancels where a flush takes 1 ms more', sorted: inOrder, slowFlushes: 1 }]
      : []),
    ...(quick ? [] : [{ what: 'cancels scattered over a million orders', sorted: scattered }]),
  ];
}

async function measure({ options, data, progress }: Context, engine: Engine, way: Way): Promise<Row[]> {
  const { what, slowFlushes } = way;
  const say = (text: string) => progress(`${engine}, ${what}: ${text}`);
  say('copying the data');
  const stores = await data.stores(engine);
  const ours = await data.copy(stores);
  const theirs = await data.copy(stores);
  const { storeId, ids: pending } = await pendingOrders(ours.place);
  const ids = way.sorted(pending);
  const petstore = await startPetstore(ours.place, stores.large, { slowFlushes });
  const limit = way.withLimit
    ? await startLimit('bare-cancel-server', (await data.copy(stores)).place, storeId)
    : undefined;
  const [ourIds, bareIds, limitIds] = [ids.values(), [...ids], ids.values()];
  const p99: number[] = [];
  const rounds = options.quick && slowFlushes !== undefined ? 1 : options.rounds;
  const rates = await interleave(
    { ...options, rounds, warmUp: LONG_WARM_UP_SECONDS },
    {
      petstore: async (seconds) => {
        say('petstore');
        const measured = await cancelAll(petstore, ourIds, stores.large, seconds);
        p99.push(measured.p99);
        return measured.rate;
      },
      bare: (seconds) => {
        say('bare driver');
        return bareRate(theirs.place, storeId, bareIds, { seconds, slowFlushes });
      },
      limit: async (seconds) => {
        if (!limit) return Number.NaN;
        say('the limit');
        return (await cancelAll(limit, limitIds, stores.large, seconds)).rate;
      },
    },
  );
  await petstore.stop();
  await limit?.stop();
  const bare = median(rates.bare);
  return [
    row(
      {
        scenario: 'cancel',
        engine,
        what: `${what}, of one commit each by the bare driver`,
        unit: '×',
        figures: { petstore: median(rates.petstore), bare, p99Ms: median(p99.slice(1)) },
      },
      ratios(rates.petstore, rates.bare),
      { atLeast: bars[engine] },
    ),
    ...(limit
      ? [
          row(
            {
              scenario: 'cancel',
              engine,
              what: 'the limit: bare node:http and the bare driver, a group a commit, of one commit each',
              unit: '×',
              figures: { limit: median(rates.limit), bare },
            },
            ratios(rates.limit, rates.bare),
          ),
          row(
            {
              scenario: 'cancel',
              engine,
              what: `${what}, of the limit`,
              unit: '×',
              figures: { petstore: median(rates.petstore), limit: median(rates.limit) },
            },
            ratios(rates.petstore, rates.limit),
            { atLeast: 0.7 },
          ),
        ]
      : []),
  ];
}

async function cancelAll({ port }: Running, ids: Iterator<string>, key: string, seconds: number) {
  const next = () => {
    const { value, done } = ids.next();
    return done ? undefined : requestBytes('DELETE', `/v1/store/orders/${value}`, { key });
  };
  const measured = await closedLoop({ port, connections: CONNECTIONS, seconds, next });
  if (measured.count === 0) throw new Error('no order is left to cancel');
  return expectOnly(measured, 204);
}

/** Cancels a second by a program that does nothing else. It uses up what it cancelled. */
async function bareRate(
  place: Place,
  storeId: bigint,
  ids: string[],
  { seconds, slowFlushes }: { seconds: number; slowFlushes?: number | undefined },
): Promise<number> {
  const file = join(folder('ids'), 'ids.json');
  const offered = ids.slice(0, Math.ceil(seconds * 20_000));
  if (offered.length === 0) throw new Error('no order is left to cancel');
  writeFileSync(file, JSON.stringify(offered));
  const where = place.engine === 'sqlite' ? databaseFile(place) : place.url;
  const output = await run({
    command: process.execPath,
    args: [program(`bare-cancel-${place.engine}`), where, String(storeId), file, String(seconds)],
    slowFlushes,
  });
  const { count, elapsed } = JSON.parse(output) as { count: number; elapsed: number };
  ids.splice(0, count);
  return count / elapsed;
}

function program(name: string): string {
  return fileURLToPath(new URL(`../subjects/${name}.ts`, import.meta.url));
}
