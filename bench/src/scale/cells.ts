import { fileURLToPath } from 'node:url';
import { requestBytes } from '../load/connection.ts';
import { folder, freePort, type Running, startServer } from '../processes.ts';
import { seed, startPetstore } from '../subjects/petstore.ts';
import { costOf, round, table } from './measure.ts';
import { fillShelf, placing } from './placing.ts';

const router = fileURLToPath(new URL('./cell-router.ts', import.meta.url));
/** For each cell, so that each has compiled what it runs. */
const REQUESTS = 12_000;
const CONNECTIONS = 8;

type Cell = Running & { readonly key: string };

async function startCell(name: string): Promise<Cell> {
  const place = { engine: 'sqlite', data: folder(name) } as const;
  const key = await seed(place, 113);
  const petstore = await startPetstore(place, key);
  await fillShelf(petstore.port, key);
  return { key, ...petstore };
}

/** What a request costs with one cell, and with several behind a directory of keys. */
export async function cells(): Promise<void> {
  const rows: string[][] = [];
  for (const count of [1, 2, 4, 8]) {
    const running: Cell[] = [];
    for (let i = 0; i < count; i++) running.push(await startCell(`cell-${count}-${i}`));
    const port = await freePort();
    const entries = running.map(({ key, port: at }) => `${key}=${at}`);
    const front = await startServer('router', {
      command: process.execPath,
      args: [router, String(port), ...entries],
      port,
      ready: requestBytes('GET', '/v1/pets', { key: running[0]?.key ?? '' }),
    });
    const ask = (path: string) => {
      const requests = running.map(({ key }) => requestBytes('GET', path, { key }));
      return (connection: number) => requests[connection % count] as Buffer;
    };
    const groups = [running.map(({ pid }) => pid), [front.pid]];
    const connections = CONNECTIONS * count;
    const get = (path: string) => costOf(port, groups, REQUESTS * count, ask(path), { connections });
    const list = await get('/v1/store/orders');
    const order = await get('/v2/store/orders/1');
    const places = running.map(({ key }) => placing(key));
    const place = await costOf(port, groups, (REQUESTS / 8) * count, (at) => places[at % count] as Buffer, {
      expected: 201,
      connections,
    });
    rows.push([
      String(count),
      ...[list, order, place].flatMap(({ cpu }) => cpu.map((each) => `${round(each)} µs`)),
    ]);
    for (const { stop } of [...running, front]) await stop();
  }
  table(['cells', 'list: cells', 'router', 'order: cells', 'router', 'place: cells', 'router'], rows);
}
