import type pg from 'pg';
import { describe, expect, it } from 'vitest';
import { Unavailable } from '../../src/database/engine.ts';
import { connectClient } from '../../src/database/postgres.ts';
import { cancelOrder } from '../../src/orders/change-status.ts';
import { fastForwardTimers } from '../support/fast-forward-timers.ts';
import { startService, type TestService, type TestStore } from '../support/service.ts';
import { withTimeouts } from '../support/with-timeouts.ts';
import { eventually } from './support/eventually.ts';
import { connect, hold, useOwnPostgres } from './support/own-postgres.ts';
import { expectRecovery, ready } from './support/recovery.ts';
import { expectUnavailable, listedIds, oneOfEach, sendRequest } from './support/requests.ts';

const CONNECTIONS = 40;

describe('when PostgreSQL', () => {
  const postgres = useOwnPostgres({ max_connections: String(CONNECTIONS) });

  const start = () => startService(postgres().impatientEngine);

  it.each(['orderly', 'crash'] as const)('stops (%s): 503 until it is back', async (how) => {
    await using service = await start();
    const store = await service.openStore();
    expect((await sendRequest(service, 'DELETE /v1/store/orders/6', store.key)).status).toBe(204);
    await postgres().stop(how);
    try {
      for (const response of await oneOfEach(service, store.key)) expectUnavailable(response);
      expectUnavailable(await ready(service));
      expect((await sendRequest(service, 'GET /healthz')).status).toBe(200);
    } finally {
      await postgres().start();
    }
    await expectRecovery(service, store, 39);
    expect(await listedIds(service, store.key)).not.toContain(6);
  });

  it('cuts idle connections: the next requests open new ones', async () => {
    await using service = await start();
    const store = await service.openStore();
    await oneOfEach(service, store.key);
    for (let i = 0; i < 3; i++) {
      await cutConnections(service);
      await expectRecovery(service, store, 39);
    }
    const [sessions] = await service.database.rows(
      `SELECT count(*) AS count FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'petstore'`,
    );
    expect(sessions?.count).toBeLessThanOrEqual(8n);
  });

  it('cuts connections under load: each request gets its result or 503', async () => {
    await using service = await start();
    const store = await service.openStore();
    let over = false;
    const seen = new Set<number>();
    const clients = Array.from({ length: 8 }, async () => {
      while (!over) for (const { status } of await oneOfEach(service, store.key)) seen.add(status);
    });
    for (let i = 0; i < 10; i++) await cutConnections(service);
    over = true;
    await Promise.all(clients);
    expect([...seen].filter((status) => ![200, 201, 204, 404, 409, 503].includes(status))).toEqual([]);
    await expectRecovery(service, store, 39);
  });

  it('has no connection left: 503 until it has one', async () => {
    await using service = await start();
    const store = await service.openStore();
    {
      await using admin = await administrator();
      await admin.takeAllConnectionsFrom(service);
      using _ = withTimeouts({ connectTimeoutMs: 1 });
      for (const response of await oneOfEach(service, store.key)) expectUnavailable(response);
      expectUnavailable(await ready(service));
    }
    await expectRecovery(service, store, 39);
  });

  it('has no further connection: the service’s existing one is enough to read', async () => {
    await using service = await start();
    const store = await service.openStore();
    await using admin = await administrator();
    const readers = await eventually(
      async () => {
        await Promise.all(Array.from({ length: 16 }, () => listedIds(service, store.key)));
        return admin.sessionsOf(service, 'select%"keys"%');
      },
      (sessions) => sessions.length > 1,
    );
    await admin.end(readers.slice(1));
    await admin.takeAllConnections();
    for (let i = 0; i < 20; i++) await listedIds(service, store.key);
  });

  it('has one store locked by another client: 503 for its changes, and only for them', async () => {
    await using service = await start();
    const { writer } = service.deployment;
    const [stuck, ...others] = await Promise.all(Array.from({ length: 17 }, () => service.openStore()));
    const { storeId, key } = stuck as TestStore;
    await using _ = await hold(
      String(service.database.location.database),
      `SELECT * FROM stores WHERE id = ${storeId} FOR UPDATE`,
    );
    expectUnavailable(await sendRequest(service, 'DELETE /v1/store/orders/2', key));
    // Concurrently, they share groups, some of them with the blocked store.
    const change = { orderId: 2n, at: BigInt(Date.now()) };
    const [rejected, ...done] = await Promise.allSettled(
      [storeId, ...others.map((store) => store.storeId)].map((id) =>
        writer.apply(cancelOrder, { ...change, storeId: id }),
      ),
    );
    expect(rejected).toMatchObject({ status: 'rejected', reason: expect.any(Unavailable) });
    expect(done.filter(({ status }) => status === 'rejected')).toEqual([]);
    expect(await listedIds(service, key)).toHaveLength(40);
    expect((await ready(service)).status).toBe(200);
  });

  it('has a table locked by another client: 503 until it is released', async () => {
    await using service = await start();
    const store = await service.openStore();
    {
      await using _ = await hold(
        String(service.database.location.database),
        'LOCK TABLE orders IN ACCESS EXCLUSIVE MODE',
      );
      const responses = await oneOfEach(service, store.key);
      // Pets are read from another table.
      expect(responses.splice(1, 1).map(({ status }) => status)).toEqual([200]);
      for (const response of responses) expectUnavailable(response);
    }
    await expectRecovery(service, store, 39);
  });

  it('is frozen: 503 until it resumes', async () => {
    await using service = await start();
    const store = await service.openStore();
    postgres().freeze();
    try {
      using _ = fastForwardTimers();
      for (const response of await oneOfEach(service, store.key)) expectUnavailable(response);
      expectUnavailable(await ready(service));
    } finally {
      postgres().thaw();
    }
    await expectRecovery(service, store, 39);
  });

  it('is frozen during shutdown: the service still exits', async () => {
    const service = await start();
    await service.openStore();
    postgres().freeze();
    try {
      using _ = fastForwardTimers();
      await service[Symbol.asyncDispose]();
    } finally {
      postgres().thaw();
    }
  });

  it('releases the locks of a replica that hangs in a transaction', async () => {
    await using service = await start();
    const { key, storeId } = await service.openStore();
    await using open = new AsyncDisposableStack();
    const silent = await connectClient(String(service.database.location.database));
    open.defer(() => silent.end());
    await silent.query(`BEGIN; SELECT * FROM stores WHERE id = ${storeId} FOR UPDATE`);
    const { status } = await eventually(
      () => sendRequest(service, 'DELETE /v1/store/orders/2', key),
      (response) => response.status !== 503,
    );
    expect(status).toBe(204);
  });

  async function cutConnections(service: TestService): Promise<void> {
    await using admin = await administrator();
    await admin.end(await admin.sessionsOf(service));
  }

  /** Lists and ends other sessions, over its own connection. */
  async function administrator() {
    const url = postgres().url('postgres');
    const clients = [await connect(url)] as [pg.Client, ...pg.Client[]];
    const sendRequest = async (sql: string) =>
      (await clients[0].query<{ pid: string }>(sql)).rows.map(({ pid }) => pid);
    const admin = {
      sessionsOf: ({ database }: TestService, lastQuery = '%') =>
        sendRequest(`SELECT pid FROM pg_stat_activity
          WHERE '${database.location.database}' LIKE '%/' || datname || '?%' AND query ILIKE '${lastQuery}'`),
      async end(sessions: readonly string[]) {
        const these = `pid = ANY ('{${sessions}}')`;
        await sendRequest(
          `SELECT pg_terminate_backend(pid)::text AS pid FROM pg_stat_activity WHERE ${these}`,
        );
        await eventually(
          () => sendRequest(`SELECT pid FROM pg_stat_activity WHERE ${these}`),
          (left) => left.length === 0,
        );
      },
      /** Takes all free connections. */
      async takeAllConnections() {
        for (let full = false; !full; ) {
          await connect(url).then(
            (client) => clients.push(client),
            () => {
              full = true;
            },
          );
        }
      },
      /** Also takes those of the service, including one that it was just opening, until it holds all. */
      async takeAllConnectionsFrom(service: TestService) {
        for (;;) {
          await admin.takeAllConnections();
          if (clients.length === CONNECTIONS) return;
          await admin.end(await admin.sessionsOf(service));
        }
      },
      async [Symbol.asyncDispose]() {
        await Promise.all(clients.map((client) => client.end()));
      },
    };
    return admin;
  }
});
