import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { encodeRequest, openSide, sendRequest } from '../load.ts';
import { processorTime, processorTimeWithChildren } from '../measure/processor-time.ts';
import { createFolder, type RunningServer } from '../processes.ts';
import { addRows, type Growth, growths } from '../subjects/fill.ts';
import { type DatabaseLocation, fillStock, seed, startPetstore } from '../subjects/petstore.ts';
import { type Postgres, startPostgres } from '../subjects/postgres.ts';

/** v1 omits cancelled orders, one in ten: it lists 100 of these. */
const ORDERS = 113;
/** Longer lists are not measured: their cost grows with their length anyway. */
const MAX_LISTED = 10_000;
const MAX_SETTLE_MS = 60_000;

const sizes: Record<Growth, { quick: readonly number[]; full: readonly number[] }> = {
  stores: { quick: [1, 1_000], full: [1, 1_000, 100_000] },
  orders: { quick: [113, 10_000], full: [113, 10_000, 1_111_086] },
  webhooks: { quick: [0, 1_000], full: [0, 1_000, 100_000] },
  events: { quick: [0, 10_000], full: [0, 10_000, 1_000_000] },
};

export const operations = ['list', 'page', 'order', 'place', 'cancel', 'event', 'delivery'] as const;
type Operation = (typeof operations)[number];

/** Microseconds of processor time per request, of the service and its database together. */
export interface ScaleRow {
  readonly engine: DatabaseLocation['engine'];
  readonly growth: Growth;
  readonly size: number;
  readonly costs: Readonly<Costs>;
}

type Costs = Partial<Record<Operation, number>>;

/** Each row has a database and a service of its own. */
export async function scale(
  { isQuick, only }: { isQuick: boolean; only: readonly string[] },
  report: (row: ScaleRow) => void,
): Promise<ScaleRow[]> {
  const rows: ScaleRow[] = [];
  const seconds = isQuick ? 0.5 : 1.5;
  const measureAll = async (
    createLocation: (name: string) => Promise<DatabaseLocation>,
    database?: Postgres,
  ) => {
    for (const growth of growths.filter((name) => only.length === 0 || only.includes(name)))
      for (const size of sizes[growth][isQuick ? 'quick' : 'full']) {
        const location = await createLocation(`${growth}_${size}`);
        // A write fails if other programs keep the disk busy. The run continues; costs not yet measured are shown as dashes.
        const costs: Costs = {};
        await measure(location, { growth, size, seconds, database }, costs).catch((error: Error) => {
          console.error(error.message);
        });
        const row = { engine: location.engine, growth, size, costs };
        report(row);
        rows.push(row);
        await database?.ask(`DROP DATABASE ${growth}_${size} WITH (FORCE)`);
      }
  };
  await measureAll(async (name) => ({ engine: 'sqlite', data: createFolder(name) }));
  const postgres = await startPostgres();
  try {
    await measureAll(
      async (name) => ({ engine: 'postgres', url: await postgres.createDatabase(name) }),
      postgres,
    );
  } finally {
    await postgres.stop();
  }
  return rows;
}

interface MeasureOptions {
  readonly growth: Growth;
  readonly size: number;
  /** Processor time of the service per operation. */
  readonly seconds: number;
  readonly database: Postgres | undefined;
}

async function measure(
  location: DatabaseLocation,
  { growth, size, seconds, database }: MeasureOptions,
  costs: Costs,
) {
  const orders = growth === 'orders' ? size : ORDERS;
  const key = await seed(location, orders);
  await addRows(location, growth, size);
  await using petstore = await startPetstore(location, key);
  await fillStock(petstore, key);
  const used = () => processorTime(petstore.pid) + (database ? processorTimeWithChildren(database.pid) : 0);

  /** The cost of a request. `settle` waits for work that follows the responses, `part` shortens the sample. */
  async function cost(
    next: () => Buffer,
    status: number,
    { part = 1, settle = async (_count: number) => {} } = {},
  ) {
    using side = await openSide('petstore', petstore, status, next);
    const warmUp = await side.sample((part * seconds) / 3);
    await settle(warmUp);
    const before = used();
    const count = await side.sample(part * seconds);
    await settle(count);
    return { count: warmUp + count, micros: ((used() - before) / count) * 1e6 };
  }

  const get = (path: string) => encodeRequest(path, { key });
  const list = get('/v1/store/orders');
  if (orders <= MAX_LISTED) costs.list = (await cost(() => list, 200)).micros;
  let requestNumber = 0;
  const differentPage = () =>
    get(`/v2/store/orders?limit=40&sort=shipDate&shipDateFrom=${new Date(requestNumber++).toISOString()}`);
  costs.page = (await cost(differentPage, 200)).micros;
  // Reads the same number of orders at every size, so that equally many are cached.
  costs.order = (await cost(() => get(`/v2/store/orders/${1 + (requestNumber++ % ORDERS)}`), 200)).micros;
  const events = get('/v2/store/events?limit=10');
  costs.event = (await cost(() => events, 200)).micros;

  const order = { petId: 1, quantity: 1 };
  const placement = encodeRequest('/v2/store/orders', { method: 'POST', key, body: JSON.stringify(order) });
  const first = await sendJson(petstore, key, 'POST /v2/store/orders', order, 201);
  const { count, micros } = await cost(() => placement, 201);
  costs.place = micros;
  let next = Number(first.id);
  const endOfOrders = next + count;
  // Each order can be cancelled once.
  const cancel = () => {
    if (next >= endOfOrders) throw new Error('no order is left to cancel');
    return encodeRequest(`/v1/store/orders/${next++}`, { method: 'DELETE', key });
  };
  costs.cancel = (await cost(cancel, 204, { part: 1 / 6 })).micros;

  let received = 0;
  const receiver = createServer((request, response) => {
    received++;
    request.resume().on('end', () => response.end());
  }).listen(0, '127.0.0.1');
  using _ = { [Symbol.dispose]: () => receiver.close().closeAllConnections() };
  await once(receiver, 'listening');
  const { port } = receiver.address() as AddressInfo;
  await sendJson(petstore, key, 'POST /v2/webhooks', { url: `http://127.0.0.1:${port}/` }, 201);
  let sent = 0;
  const waitForDeliveries = async (count: number) => {
    sent += count;
    const until = performance.now() + MAX_SETTLE_MS;
    while (received < sent) {
      if (performance.now() > until) throw new Error(`${received} of ${sent} events were delivered`);
      await pause(20);
    }
  };
  costs.delivery = (await cost(() => placement, 201, { settle: waitForDeliveries })).micros;
}

async function sendJson(
  { port }: RunningServer,
  key: string,
  request: string,
  body: object,
  expected: number,
) {
  const [method, path = ''] = request.split(' ');
  const response = await sendRequest(port, path, {
    ...(method && { method }),
    key,
    body: JSON.stringify(body),
  });
  if (response.status !== expected) throw new Error(`${request}: ${response.status} ${response.body}`);
  return JSON.parse(String(response.body));
}
