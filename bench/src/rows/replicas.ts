import { CONNECTIONS, encodeRequest, openSide, sendRequest } from '../load.ts';
import { processorTime, processorTimeWithChildren } from '../measure/processor-time.ts';
import type { RunningServer } from '../processes.ts';
import { openDatabaseAddress } from '../subjects/database-address.ts';
import { addRows } from '../subjects/fill.ts';
import { type DatabaseLocation, fillStock, seedStores, startPetstore } from '../subjects/petstore.ts';
import { type Postgres, startPair } from '../subjects/postgres.ts';
import { type Failover, measureFailover } from './failover.ts';

/** v1 lists 100 of them: one order in ten is cancelled. */
const ORDERS = 113;
const MAX_REPLICAS = 3;
/** In each of the stores, more than are read in all samples: each is read once, so that none is cached. */
const ORDERS_READ = { quick: 800, full: 4_000 };
/** Stores added to measure their size on disk. */
const STORES_ON_DISK = { quick: 1_000, full: 20_000 };
const DATABASE = 'petstore';

type RequestName = 'list' | '304' | 'order' | 'page' | 'place' | 'place64' | 'cancel';

/** Microseconds of processor time and bytes of WAL per request. */
export interface ReplicaRow {
  readonly request: RequestName;
  readonly replicas: number;
  readonly perSecond: number;
  readonly replicaMicros: number;
  readonly primaryMicros: number;
  readonly standbyMicros: number;
  readonly poolerMicros?: number;
  readonly walBytes: number;
}

/** Bytes on disk, indexes included; those of a store include its key and pets. */
interface OnDisk {
  readonly order: number;
  readonly change: number;
  readonly store: number;
}

export interface Replicas {
  readonly rows: readonly ReplicaRow[];
  readonly onDisk: OnDisk;
  readonly through: string;
  /** With a synchronous standby, under load. */
  readonly failover: Failover;
  /** Without synchronous replication, with a standby that receives nothing: orders must be lost. */
  readonly control: Failover;
}

export async function replicas(isQuick: boolean, report: (row: ReplicaRow) => void): Promise<Replicas> {
  const measured = await measureThroughput(isQuick, report);
  const failover = await measureFailover({ isSynchronous: true, replicas: MAX_REPLICAS });
  if (failover.lost > 0) throw new Error(`${failover.lost} acknowledged orders are lost`);
  const control = await measureFailover({ isSynchronous: false, replicas: 1 });
  if (control.lost < control.beforeKill / 2) throw new Error('the check does not notice lost orders');
  return { ...measured, failover, control };
}

async function measureThroughput(isQuick: boolean, report: (row: ReplicaRow) => void) {
  const effort = isQuick ? 'quick' : 'full';
  const { primary, standby } = await startPair({ isSynchronous: true });
  await using address = await openDatabaseAddress(primary.port);
  const direct = await primary.createDatabase(DATABASE);
  const location: DatabaseLocation = {
    engine: 'postgres',
    url: direct.replace(`:${primary.port}/`, `:${address.port}/`),
  };
  const listed = await seedStores(location, CONNECTIONS, ORDERS);
  const read = await seedStores(location, CONNECTIONS, ORDERS_READ[effort]);
  const placing = await seedStores(location, CONNECTIONS, 1);
  const stores = {
    listed,
    read,
    placing,
    ordersRead: ORDERS_READ[effort],
    requestsSent: { order: 0, page: 0 },
  };
  const [key = ''] = listed;
  const rows: ReplicaRow[] = [];
  await using stack = new AsyncDisposableStack();
  const running: RunningServer[] = [];
  for (let count = 1; count <= MAX_REPLICAS; count++) {
    running.push(stack.use(await startPetstore(location, key)));
    const seconds = isQuick ? 0.2 : 1.5;
    const processes = { running, primary, standby, pooler: address.pid };
    // So that neither autovacuum nor a checkpoint of earlier rows runs during a sample.
    for (const statement of ['VACUUM ANALYZE', 'CHECKPOINT']) await primary.ask(statement, DATABASE);
    for await (const row of measureRequests(processes, stores, seconds)) {
      report(row);
      rows.push(row);
    }
  }
  await stack.disposeAsync();
  const onDisk = await measureDisk(primary, { engine: 'postgres', url: direct }, effort);
  for (const server of [standby, primary]) await server.stop();
  return { rows, onDisk, through: address.name };
}

interface Processes {
  readonly running: readonly RunningServer[];
  readonly primary: Postgres;
  readonly standby: Postgres;
  readonly pooler: number | undefined;
}

/** Keys of stores, one for each connection: requests with the same key share lookups. */
interface Stores {
  readonly listed: readonly string[];
  readonly read: readonly string[];
  /** The orders in each store of `read`. */
  readonly ordersRead: number;
  /** Of all rows, so that no order and no page is read again. */
  readonly requestsSent: { order: number; page: number };
  readonly placing: readonly string[];
}

async function* measureRequests(
  { running, primary, standby, pooler }: Processes,
  { listed, read, ordersRead, requestsSent, placing }: Stores,
  seconds: number,
): AsyncGenerator<ReplicaRow> {
  const [{ port }] = running as [RunningServer];
  const processorTimes = () => [
    running.reduce((sum, { pid }) => sum + processorTime(pid), 0),
    processorTimeWithChildren(primary.pid),
    processorTimeWithChildren(standby.pid),
    pooler === undefined ? Number.NaN : processorTime(pooler),
  ];
  const walPosition = async () =>
    Number((await primary.ask("SELECT pg_current_wal_lsn() - '0/0' AS at"))[0]?.at);

  async function measure(request: RequestName, next: (connection: number) => Buffer, status: number) {
    await using sides = new AsyncDisposableStack();
    const all = await Promise.all(running.map((replica) => openSide('petstore', replica, status, next)));
    for (const side of all) sides.defer(() => side[Symbol.dispose]());
    const sample = async (length: number) => {
      const counts = await Promise.all(all.map((side) => side.sample(length)));
      return counts.reduce((sum, count) => sum + count, 0);
    };
    const warmUp = await sample(seconds / 3);
    const [wal, before, started] = [await walPosition(), processorTimes(), performance.now()];
    const count = await sample(seconds);
    const elapsed = (performance.now() - started) / 1000;
    const microsPerRequest = processorTimes().map(
      (now, at) => ((now - (before[at] as number)) / count) * 1e6,
    );
    const [replicaMicros = 0, primaryMicros = 0, standbyMicros = 0, poolerMicros = 0] = microsPerRequest;
    return {
      row: {
        request,
        replicas: running.length,
        perSecond: count / elapsed,
        replicaMicros,
        primaryMicros,
        standbyMicros,
        ...(pooler !== undefined && { poolerMicros }),
        walBytes: ((await walPosition()) - wal) / count,
      },
      count: warmUp + count,
    };
  }

  const body = JSON.stringify({ petId: 1, quantity: 1 });
  const encodePlacement = (by: string) =>
    encodeRequest('/v2/store/orders', { method: 'POST', key: by, body });
  for (const each of placing) await fillStock(running[0] as RunningServer, each);

  const list = '/v1/store/orders';
  const lists = listed.map((key) => encodeRequest(list, { key }));
  yield (await measure('list', (client) => lists[client] as Buffer, 200)).row;
  const unchanged: Buffer[] = [];
  for (const key of listed) {
    const { headers } = await expectStatus(sendRequest(port, list, { key }), 200);
    unchanged.push(encodeRequest(list, { key, headers: { 'If-None-Match': String(headers.etag) } }));
  }
  yield (await measure('304', (client) => unchanged[client] as Buffer, 304)).row;
  const readInStore = (count: number, path: string) =>
    encodeRequest(path, { key: read[count % read.length] as string });
  const order = () => {
    const count = requestsSent.order++;
    const id = 1 + Math.floor(count / read.length);
    if (id > ordersRead) throw new Error('every order has been read');
    return readInStore(count, `/v2/store/orders/${id}`);
  };
  yield (await measure('order', order, 200)).row;
  const page = () => {
    const count = requestsSent.page++;
    const path = '/v2/store/orders?limit=40&sort=shipDate&shipDateFrom=';
    return readInStore(count, path + new Date(count).toISOString());
  };
  yield (await measure('page', page, 200)).row;

  const [one, ...others] = placing as [string, ...string[]];
  const first = await expectStatus(
    sendRequest(port, '/v2/store/orders', { method: 'POST', key: one, body }),
    201,
  );
  const inOne = encodePlacement(one);
  const placed = await measure('place', () => inOne, 201);
  yield placed.row;
  const inMany = others.map(encodePlacement);
  yield (await measure('place64', (client) => inMany[client % inMany.length] as Buffer, 201)).row;
  let next = Number(JSON.parse(String(first.body)).id);
  const last = next + placed.count;
  // Each order can be cancelled once.
  const cancel = () => {
    if (next > last) throw new Error('no order is left to cancel');
    return encodeRequest(`/v1/store/orders/${next++}`, { method: 'DELETE', key: one });
  };
  // A shorter sample, so that the orders placed above suffice.
  seconds /= 6;
  yield (await measure('cancel', cancel, 204)).row;
}

async function expectStatus(sent: ReturnType<typeof sendRequest>, status: number) {
  const response = await sent;
  if (response.status !== status) throw new Error(`${response.status} ${response.body}`);
  return response;
}

/** Adds stores, so it must run after the other measurements. */
async function measureDisk(
  primary: Postgres,
  location: DatabaseLocation,
  effort: 'quick' | 'full',
): Promise<OnDisk> {
  const bytes = async (sql: string) =>
    Number((await primary.ask(`SELECT ${sql} AS bytes`, DATABASE))[0]?.bytes);
  const perRow = (table: string) =>
    bytes(`pg_total_relation_size('${table}')::float / (SELECT count(*) FROM ${table})`);
  const [order, change] = [await perRow('orders'), await perRow('changes')];
  const all = `pg_database_size('${DATABASE}')`;
  const before = await bytes(all);
  await addRows(location, 'stores', STORES_ON_DISK[effort]);
  return { order, change, store: ((await bytes(all)) - before) / STORES_ON_DISK[effort] };
}
