import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pendingOrders } from '../data.ts';
import { closedLoop, expectOnly } from '../load/closed-loop.ts';
import { requestBytes } from '../load/connection.ts';
import type { Engine } from '../options.ts';
import { folder, run } from '../processes.ts';
import { type Row, row } from '../row.ts';
import type { Context, Scenario } from '../scenario.ts';
import { interleave, median, ratios } from '../statistics.ts';
import { databaseFile, type Place, startPetstore } from '../subjects/petstore.ts';

const CONNECTIONS = 64;
const bars = { sqlite: 3, postgres: 2 } as const;

export const cancel: Scenario = {
  name: 'cancel',
  barOn: 'each engine',
  title: 'cancelOrder, 64 connections, each on disk before its 204',
  async run(context) {
    const rows: Row[] = [];
    for (const engine of context.options.engines) rows.push(...(await measure(context, engine)));
    return rows;
  },
};

async function measure({ options, data, progress }: Context, engine: Engine): Promise<Row[]> {
  progress(`${engine}: copying the data`);
  const stores = await data.stores(engine);
  const ours = await data.copy(stores);
  const theirs = await data.copy(stores);
  const { storeId, ids } = await pendingOrders(ours.place);
  const bareIds = [...ids];
  const key = stores.large;
  const petstore = await startPetstore(ours.place, key);
  let p99: number[] = [];
  const rates = await interleave(options, {
    petstore: async (seconds) => {
      progress(`${engine}: petstore`);
      const next = () => {
        const id = ids.pop();
        return id === undefined ? undefined : requestBytes('DELETE', `/v1/store/orders/${id}`, { key });
      };
      const measured = await closedLoop({
        port: petstore.port,
        connections: CONNECTIONS,
        seconds,
        next,
      });
      p99.push(expectOnly(measured, 204).p99);
      return measured.rate;
    },
    bare: (seconds) => {
      progress(`${engine}: bare driver`);
      return bareRate(theirs.place, storeId, bareIds, { seconds, group: 1 });
    },
    grouped: (seconds) => {
      progress(`${engine}: bare driver, in groups`);
      return bareRate(theirs.place, storeId, bareIds, { seconds, group: CONNECTIONS });
    },
  });
  await petstore.stop();
  p99 = p99.slice(1);
  return [
    row(
      {
        scenario: 'cancel',
        engine,
        what: 'cancels, of one commit each by the bare driver',
        unit: '×',
        figures: { petstore: median(rates.petstore), bare: median(rates.bare), p99Ms: median(p99) },
      },
      ratios(rates.petstore, rates.bare),
      { atLeast: bars[engine] },
    ),
    row(
      {
        scenario: 'cancel',
        engine,
        what: `the limit: the bare driver with ${CONNECTIONS} cancels a commit, of one commit each`,
        unit: '×',
        figures: { grouped: median(rates.grouped), bare: median(rates.bare) },
      },
      ratios(rates.grouped, rates.bare),
    ),
  ];
}

/** Cancels a second by a program that does nothing else. It uses up what it cancelled. */
async function bareRate(
  place: Place,
  storeId: bigint,
  ids: string[],
  { seconds, group }: { seconds: number; group: number },
): Promise<number> {
  const file = join(folder('ids'), 'ids.json');
  const offered = ids.slice(0, Math.ceil(seconds * 20_000));
  if (offered.length === 0) throw new Error('no order is left to cancel');
  writeFileSync(file, JSON.stringify(offered));
  const where = place.engine === 'sqlite' ? databaseFile(place) : place.url;
  const program = fileURLToPath(new URL(`../subjects/bare-cancel-${place.engine}.ts`, import.meta.url));
  const output = await run({
    command: process.execPath,
    args: [program, where, String(storeId), file, String(seconds), String(group)],
  });
  const { count, elapsed } = JSON.parse(output) as { count: number; elapsed: number };
  ids.splice(0, count);
  return count / elapsed;
}
