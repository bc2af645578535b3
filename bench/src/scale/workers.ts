import { closedLoop, expectOnly } from '../load/closed-loop.ts';
import { CONNECTIONS, rateOf } from '../load/rate.ts';
import { folder, unpin } from '../processes.ts';
import { median } from '../statistics.ts';
import { type Place, seed, startPetstore } from '../subjects/petstore.ts';
import { startPostgres } from '../subjects/postgres.ts';
import { type Cost, costOfLoad, family, megabytesOf, round, table } from './measure.ts';
import { fillShelf, placing } from './placing.ts';

/** As long again before it: each process compiles for itself what it does often. */
const SECONDS = 4;
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
    const { port } = petstore;
    const cost = (load: (seconds: number) => Promise<number>) => costOfLoad(groups, load, SECONDS);
    const get = (path: string) => (seconds: number) =>
      rateOf({ port, path, headers: { Authorization: `Bearer ${key}` }, expected: 200 }, seconds);
    const placings = async (seconds: number) => {
      const next = () => placing(key);
      return expectOnly(await closedLoop({ port, connections: CONNECTIONS, seconds, next }), 201).rate;
    };
    const costs: Cost[] = [
      await cost(get('/v1/pets')),
      await cost(get('/v2/store/orders?limit=50')),
      await cost(placings),
    ];
    const memory = megabytesOf(petstore.pid);
    await petstore.stop();
    return [...costs.flatMap(({ rate, cpu }) => [rate, ...cpu]), memory];
  }
}
