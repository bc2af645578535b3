import { connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/database/engine.ts';
import { runCommand } from '../../support/command.ts';
import { READERS } from '../../support/effort.ts';
import { anyEngine, type Engine, engines, type TestDatabase } from '../../support/engines.ts';
import { startService, type TestService } from '../../support/service.ts';
import { clientOf } from '../../support/v2.ts';

const ORDERS = 20_000;
const MEGABYTE = 1024 * 1024;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function heldBytes(): number {
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

function send(port: number, key: string): Socket {
  const socket = connect(port, '127.0.0.1', () =>
    socket.write(`GET /v1/store/orders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`),
  );
  return socket;
}

/** Reads the first bytes of the list, then stops reading. Returns a function that disconnects. */
function reader(port: number, key: string): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const socket = send(port, key);
    socket.once('error', reject).once('data', () => {
      socket.pause();
      socket.off('error', reject).on('error', () => {});
      resolve(() => socket.destroy());
    });
  });
}

async function startOn(database: TestDatabase, engine: Engine, maxBytes: number) {
  const open = { snapshots: 0 };
  const counted = (db: Database): Database => ({
    ...db,
    async snapshot() {
      const snapshot = await db.snapshot();
      open.snapshots++;
      return {
        all: (query, params) => snapshot.all(query, params),
        async [Symbol.asyncDispose]() {
          open.snapshots--;
          await snapshot[Symbol.asyncDispose]();
        },
      };
    },
  });
  const lists = { maxBytes, budget: 64 * MEGABYTE };
  return { service: await startService(engine, { lists, wrap: counted, database }), open };
}

async function connectAndDisconnect(service: TestService, key: string, atOnce: number): Promise<void> {
  for (let done = 0; done < READERS; done += atOnce) {
    const disconnects = await Promise.all(Array.from({ length: atOnce }, () => reader(service.port, key)));
    for (const disconnect of disconnects) disconnect();
  }
}

describe.each(engines)('readers that stop reading and leave, on $name', (engine) => {
  let database: TestDatabase;
  let key: string;
  beforeAll(async () => {
    database = await engine.create();
    key = await seed(ORDERS);
  });
  const seed = async (orders: number) => {
    const { stdout } = await runCommand(['seed', '--orders', String(orders), ...database.flags]);
    return stdout.trim();
  };
  afterAll(() => database?.[Symbol.asyncDispose]());

  it.each([
    ...(anyEngine.includes(engine)
      ? [{ how: 'of a list in memory', maxBytes: 64 * MEGABYTE, atOnce: 30 }]
      : []),
    { how: 'of a list streamed from snapshots', maxBytes: 0, atOnce: 4 },
  ])(
    '$how leave no connection, snapshot or memory behind',
    { timeout: 300_000 + 100 * READERS },
    async ({ maxBytes, atOnce }) => {
      const { service, open } = await startOn(database, engine, maxBytes);
      await using _ = service;
      const full = await service.request('GET /v1/store/orders', { key });
      expect(full.status).toBe(200);
      const before = heldBytes();

      await connectAndDisconnect(service, key, atOnce);

      const connections = () =>
        new Promise<number>((resolve) => service.app.server.getConnections((_, n) => resolve(n)));
      // The remaining one is the test's own, kept alive.
      await expect.poll(connections).toBeLessThanOrEqual(1);
      await expect.poll(() => open.snapshots).toBe(0);
      await expect.poll(() => heldBytes() - before).toBeLessThan(4 * MEGABYTE);
    },
  );

  it.runIf(anyEngine.includes(engine))('of two stores together leave snapshots for a third', async () => {
    const keys = [key, await seed(1_000)];
    const { service, open } = await startOn(database, engine, 0);
    await using _ = service;
    const client = clientOf(service, await service.openStore());
    // The service's sockets are corked, as if the clients' windows were closed.
    service.app.server.prependListener('connection', (socket: Socket) => void socket.cork());
    const slow = keys.flatMap((key) => Array.from({ length: 4 }, () => send(service.port, key)));
    await expect.poll(() => open.snapshots).toBeGreaterThan(4);
    expect((await client('GET /v2/store/summary')).status).toBe(200);
    expect(service.log.join('')).not.toContain('"level":"error"');
    for (const socket of slow) socket.destroy();
  });
});
