import { setTimeout as pause } from 'node:timers/promises';
import { sendRequest } from '../load.ts';
import { lostOrders, type Order } from '../measure/lost-orders.ts';
import type { RunningServer } from '../processes.ts';
import { openDatabaseAddress } from '../subjects/database-address.ts';
import { createKey, type DatabaseLocation, fillStock, startPetstore } from '../subjects/petstore.ts';
import { startPair, waitForRow } from '../subjects/postgres.ts';

const CLIENTS = 16;
/** Orders placed before the primary dies. */
const ORDERS_BEFORE_KILL = 300;
const RETRY_MS = 50;
const MAX_RECOVERY_MS = 120_000;
const DAY_MS = 86_400_000;

export interface Failover {
  readonly acknowledged: number;
  /** Of these, before the `kill -9`. */
  readonly beforeKill: number;
  /** Requests repeated with the same `Idempotency-Key` after a 503 or without a response. */
  readonly repeated: number;
  readonly lost: number;
  /** From the `kill -9` to the first 201 for a request sent after it. */
  readonly recoverySeconds: number;
  /** From the `kill -9` until every client had its first 201. */
  readonly everyClientSeconds: number;
}

/** Clients place orders on all replicas while the primary dies and the standby takes its place. */
export async function measureFailover(how: { isSynchronous: boolean; replicas: number }): Promise<Failover> {
  const pair = await startPair(how);
  const { primary, standby } = pair;
  await using address = await openDatabaseAddress(primary.port);
  const url = (await primary.createDatabase('petstore')).replace(`:${primary.port}/`, `:${address.port}/`);
  const location: DatabaseLocation = { engine: 'postgres', url };
  const key = await createKey(location);
  await using stack = new AsyncDisposableStack();
  const running: RunningServer[] = [];
  while (running.length < how.replicas) running.push(stack.use(await startPetstore(location, key)));
  const { port } = running[0] as RunningServer;
  await fillStock(running[0] as RunningServer, key);
  if (!how.isSynchronous) {
    await waitForRow(
      standby,
      `SELECT 1 WHERE pg_last_wal_replay_lsn() >= '${(await primary.ask('SELECT pg_current_wal_lsn() AS at'))[0]?.at}'`,
    );
    await standby.ask("ALTER SYSTEM SET primary_conninfo = ''");
    await standby.ask('SELECT pg_reload_conf()');
    await waitForRow(
      standby,
      'SELECT 1 WHERE NOT EXISTS (SELECT FROM pg_stat_wal_receiver WHERE pid IS NOT NULL)',
    );
  }

  const load = startPlacing(running, key);
  while (load.acknowledged.length < ORDERS_BEFORE_KILL) await pause(20);
  pair.killPrimary();
  const beforeKill = load.acknowledged.length;
  const killed = performance.now();
  await pair.promote();
  address.setTarget(standby.port);
  const recovered = await load.finish(killed);
  const listed = await listOrders(port, key);
  const lost = lostOrders(load.acknowledged, listed);
  await stack.disposeAsync();
  await standby.stop();
  return {
    acknowledged: load.acknowledged.length,
    beforeKill,
    repeated: load.repeated(),
    lost: lost.length,
    recoverySeconds: Math.min(...recovered) / 1000,
    everyClientSeconds: Math.max(...recovered) / 1000,
  };
}

async function listOrders(port: number, key: string): Promise<Order[]> {
  const { status, body } = await sendRequest(port, '/v1/store/orders', { key });
  if (status !== 200) throw new Error(`${status} ${body}`);
  return JSON.parse(String(body));
}

function startPlacing(running: readonly RunningServer[], key: string) {
  const acknowledged: Order[] = [];
  const firstShipDate = Date.now() + DAY_MS;
  let [placed, repeated, isOver] = [0, 0, false];
  const recoveries = Array.from({ length: CLIENTS }, () => Promise.withResolvers<number>());
  let killed = Number.POSITIVE_INFINITY;

  async function placeOne(client: number): Promise<void> {
    const number = placed++;
    const body = JSON.stringify({
      petId: 1,
      quantity: 1,
      shipDate: new Date(firstShipDate + number).toISOString(),
    });
    const headers = { 'Idempotency-Key': `placement ${number}` };
    for (let attempt = 0; ; attempt++) {
      const { port } = running[(client + attempt) % running.length] as RunningServer;
      const sent = performance.now();
      const response = await sendRequest(port, '/v2/store/orders', {
        method: 'POST',
        key,
        headers,
        body,
      }).catch(() => undefined);
      if (response?.status === 201) {
        acknowledged.push(JSON.parse(String(response.body)));
        if (sent > killed) recoveries[client]?.resolve(performance.now() - killed);
        return;
      }
      // 409: the first attempt is still in progress.
      if (response !== undefined && response.status !== 503 && response.status !== 409)
        throw new Error(`${response.status} ${response.body}`);
      repeated++;
      await pause(RETRY_MS);
    }
  }
  const clients = Promise.all(
    recoveries.map(async (_, client) => {
      while (!isOver) await placeOne(client);
    }),
  );
  return {
    acknowledged,
    repeated: () => repeated,
    /** Waits until each client has placed an order that it sent after `killedAt`; returns how many milliseconds each took. */
    async finish(killedAt: number): Promise<number[]> {
      killed = killedAt;
      const limit = AbortSignal.timeout(MAX_RECOVERY_MS);
      limit.addEventListener('abort', () => recoveries.map(({ reject }) => reject(limit.reason)));
      const recovered = await Promise.race([
        Promise.all(recoveries.map(({ promise }) => promise)),
        clients.then(() => []),
      ]);
      isOver = true;
      await clients;
      return recovered;
    },
  };
}
