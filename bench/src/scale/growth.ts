import { mkdirSync, writeFileSync } from 'node:fs';
import { newKey } from '../../../server/src/keys/create-key.ts';
import { openDeployment } from '../../../server/src/open-deployment.ts';
import { requestBytes } from '../load/connection.ts';
import { folder } from '../processes.ts';
import { type Place, seed, startPetstore } from '../subjects/petstore.ts';
import { type Line, lineChart } from './line-chart.ts';
import { costOf, megabytesOf, round, table } from './measure.ts';
import { fillShelf, placing } from './placing.ts';

const ORDERS = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000];
/** A hundred thousand take half an hour to open: asked for by name. */
const STORES = [1, 10, 100, 1_000, 10_000, ...(process.env.STORES === 'all' ? [100_000] : [])];
/** Stores that are opened in one transaction. */
const TOGETHER = 100;
const columns = ['list', '304', 'page of 50', 'place', 'cancel', 'start', 'memory'] as const;
const units = ['µs', 'µs', 'µs', 'µs', 'µs', 'ms', 'MB'];

/** What requests cost as one store grows, and as stores become many: flat is what does not grow with either. */
export async function growth(): Promise<void> {
  const byOrders = [];
  for (const orders of ORDERS) {
    const place = { engine: 'sqlite', data: folder(`orders-${orders}`) } as const;
    byOrders.push(await measure(place, await seed(place, orders), orders));
  }
  show('orders in the store', ORDERS, byOrders, 'growth-orders.svg');

  const place = { engine: 'sqlite', data: folder('stores') } as const;
  const key = await seed(place, 113);
  const byStores = [];
  let stores = 1;
  for (const wanted of STORES) {
    await openStores(place, wanted - stores);
    stores = wanted;
    byStores.push(await measure(place, key, 113));
  }
  show('stores in the database', STORES, byStores, 'growth-stores.svg');
}

/** Processor time of each request, in the order of the columns; what a request does to the data stays small. */
async function measure(place: Place, key: string, orders: number): Promise<number[]> {
  const { pid, port, readyAfter, stop } = await startPetstore(place, key, {
    flags: ['--max-orders', 'none'],
  });
  const cost = async (count: number, request: (sent: number) => Buffer, status = 200) =>
    (await costOf(port, [[pid]], count, (_, sent) => request(sent), { expected: status })).cpu[0] ?? 0;
  const get = (path: string, headers = {}) =>
    requestBytes('GET', path, { headers: { Authorization: `Bearer ${key}`, ...headers } });
  // The whole list is some bytes an order: fewer of them tell as much.
  const lists = Math.max(10, Math.min(2_000, Math.round(2_000_000 / Math.max(orders, 1))));
  const list = await cost(lists, () => get('/v1/store/orders'));
  const same = await cost(2_000, () => get('/v1/store/orders', { 'If-None-Match': '*' }), 304);
  const page = await cost(1_000, () => get('/v2/store/orders?limit=50&sort=-id'));
  const before = await fillShelf(port, key);
  const placed = await cost(500, () => placing(key), 201);
  const cancelled = await cost(
    400,
    (sent) => requestBytes('DELETE', `/v2/store/orders/${before + 1 + sent}`, { key }),
    204,
  );
  const memory = megabytesOf(pid);
  await stop();
  return [list, same, page, placed, cancelled, readyAfter, memory];
}

/** Opens so many further stores, as the service itself does. */
async function openStores({ data }: { data: string }, count: number): Promise<void> {
  const location = { deployments: ['production'], data, database: undefined, acceptUnsafe: false } as const;
  await using deployment = await openDeployment('production', location);
  for (let opened = 0; opened < count; opened += TOGETHER) {
    const some = Array.from({ length: Math.min(TOGETHER, count - opened) }, () =>
      deployment.writer.apply('openStore', {
        owner: null,
        key: newKey('production', 'bench').details,
        at: BigInt(Date.now()),
      }),
    );
    await Promise.all(some);
  }
}

function show(what: string, sizes: readonly number[], rows: readonly number[][], chart: string): void {
  table(
    [what, ...columns],
    rows.map((row, i) => [
      (sizes[i] ?? 0).toLocaleString('en'),
      ...row.map((value, at) => `${round(value)} ${units[at]}`),
    ]),
  );
  const lines: Line[] = columns.map((label, at) => ({
    label: `${label}, ${units[at]}`,
    values: rows.map((row) => row[at] ?? 0),
  }));
  const folder = new URL('../../../docs/charts/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL(chart, folder), lineChart(`What grows with the ${what}`, sizes, lines));
}
