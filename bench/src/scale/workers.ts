import { requestBytes } from '../load/connection.ts';
import { folder, unpin } from '../processes.ts';
import { median } from '../statistics.ts';
import { type Place, seed, startPetstore } from '../subjects/petstore.ts';
import { startPostgres } from '../subjects/postgres.ts';
import { type Cost, costOf, family, megabytesOf, round, table } from './measure.ts';
import { fillShelf, placing } from './placing.ts';

const COUNTS = { pets: 10_000, page: 3_000, place: 1_500 };
const ROUNDS = 3;

/** Rates and processor time an answer with one process, and with several that share the port and the database. */
export async function workers(): Promise<void> {
  const postgres = await startPostgres();
  const url = await postgres.createDatabase('workers');
  await measure({ engine: 'sqlite', data: folder('workers') }, []);
  await measure({ engine: 'postgres', url }, [postgres.pid]);
  await postgres.stop();
}

async function measure(place: Place, database: readonly number[]): Promise<void> {
  const key = await seed(place, 113);
  const measured: Record<number, number[][]> = { 1: [], 2: [] };
  for (let turn = 0; turn < ROUNDS; turn++) {
    for (const [count, turns] of Object.entries(measured)) turns.push(await withWorkers(count));
  }
  const middle = (turns: readonly number[][], at: number) => median(turns.map((turn) => turn[at] ?? 0));
  const cell = (turns: readonly number[][], at: number) => {
    const [rate, service, data] = [0, 1, 2].map((each) => middle(turns, at + each)) as [
      number,
      number,
      number,
    ];
    const inDatabase = database.length === 0 ? '' : ` + ${round(data)} µs`;
    return `${Math.round(rate).toLocaleString('en')}/s, ${round(service)}${inDatabase || ' µs'}`;
  };
  table(
    [`${place.engine}, workers`, 'pets', 'page of 50', 'place', 'memory'],
    Object.entries(measured).map(([count, turns]) => [
      count,
      ...[0, 3, 6].map((at) => cell(turns, at)),
      `${Math.round(middle(turns, 9))} MB`,
    ]),
  );

  /** Of each request its rate, and what it costs the service and the database; then the memory. */
  async function withWorkers(count: string): Promise<number[]> {
    const petstore = await startPetstore(place, key, { flags: ['--workers', count] });
    for (const pid of family(petstore.pid)) unpin(pid);
    await fillShelf(petstore.port, key);
    const groups = [[petstore.pid], database];
    const get = (times: number, path: string) =>
      costOf(petstore.port, groups, times, () => requestBytes('GET', path, { key }));
    const costs: Cost[] = [
      await get(COUNTS.pets, '/v1/pets'),
      await get(COUNTS.page, '/v2/store/orders?limit=50'),
      await costOf(petstore.port, groups, COUNTS.place, () => placing(key), { expected: 201 }),
    ];
    const memory = megabytesOf(petstore.pid);
    await petstore.stop();
    return [...costs.flatMap(({ rate, cpu }) => [rate, ...cpu]), memory];
  }
}
