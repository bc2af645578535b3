import { fileURLToPath } from 'node:url';
import { requestBytes } from '../load/connection.ts';
import { folder, freePort, type Running, startServer } from '../processes.ts';
import { median } from '../statistics.ts';
import { seed, startPetstore } from '../subjects/petstore.ts';
import { costOf, round, table } from './measure.ts';
import { fillShelf, placing } from './placing.ts';

const router = fileURLToPath(new URL('./cell-router.ts', import.meta.url));
const COUNTS = [1, 2, 4, 8];
const ROUNDS = 3;
/** Of one measurement, whatever the number of cells: each begins with connections that are opened for it. */
const READS = 3_000;
const PLACES = 600;
const CONNECTIONS = 16;

type Cell = Running & { readonly key: string };
interface Front extends Running {
  readonly cells: readonly Cell[];
}

async function startCell(name: string): Promise<Cell> {
  const place = { engine: 'sqlite', data: folder(name) } as const;
  const key = await seed(place, 113);
  const petstore = await startPetstore(place, key);
  await fillShelf(petstore.port, key);
  return { key, ...petstore };
}

async function startFront(cells: readonly Cell[]): Promise<Front> {
  const port = await freePort();
  const front = await startServer('router', {
    command: process.execPath,
    args: [router, String(port), ...cells.map((cell) => `${cell.key}=${cell.port}`)],
    port,
    ready: requestBytes('GET', '/v1/pets', { key: cells[0]?.key ?? '' }),
  });
  return { cells, ...front };
}

/**
 * What a request costs with one cell, and with several behind a directory of keys. Cells that work at the same time
 * share the caches of this one machine, as machines of their own would not: so they are asked one after the other too.
 */
export async function cells(): Promise<void> {
  const running: Cell[] = [];
  for (let i = 0; i < Math.max(...COUNTS); i++) running.push(await startCell(`cell-${i}`));
  // The last cells are asked less often than the first: each has compiled what it runs before anything counts.
  for (const cell of running) await costsOf(cell, [cell]);
  const fronts: Front[] = [];
  for (const count of COUNTS) fronts.push(await startFront(running.slice(0, count)));
  for (const [name, measure] of Object.entries({ 'one after the other': inTurn, 'all at once': together })) {
    const measured = fronts.map(() => [] as number[][]);
    for (let turn = 0; turn < ROUNDS; turn++) {
      for (const [i, front] of fronts.entries()) measured[i]?.push(await measure(front));
    }
    table(
      [`cells, ${name}`, 'pets: cells', 'router', 'order: cells', 'router', 'place: cells', 'router'],
      measured.map((turns, i) => [
        COUNTS[i] ?? 0,
        ...(turns[0] ?? []).map((_, at) => `${round(median(turns.map((turn) => turn[at] ?? 0)))} µs`),
      ]),
    );
  }
  for (const { stop } of [...fronts, ...running]) await stop();
}

/** One cell is asked while the others only hold their data; the mean of all of them. */
async function inTurn(front: Front): Promise<number[]> {
  const costs: number[][] = [];
  for (const cell of front.cells) costs.push(await costsOf(front, [cell]));
  return (costs[0] ?? []).map((_, at) => mean(costs.map((each) => each[at] ?? 0)));
}

const mean = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / values.length;

const together = (front: Front) => costsOf(front, front.cells);

/** Of the pets, an order and a placement, none of which grows by what is placed: in the cells, and in the router. */
async function costsOf(front: Running, asked: readonly Cell[]): Promise<number[]> {
  const groups = [asked.map(({ pid }) => pid), [front.pid]];
  const cost = async (count: number, request: (key: string) => Buffer, expected = 200) => {
    const requests = asked.map(({ key }) => request(key));
    const next = (connection: number) => requests[connection % asked.length] as Buffer;
    const options = { expected, connections: CONNECTIONS };
    return (await costOf(front.port, groups, count, next, options)).cpu;
  };
  return [
    ...(await cost(READS, (key) => requestBytes('GET', '/v1/pets', { key }))),
    ...(await cost(READS, (key) => requestBytes('GET', '/v2/store/orders/1', { key }))),
    ...(await cost(PLACES, placing, 201)),
  ];
}
