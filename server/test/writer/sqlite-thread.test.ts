import { mkdirSync, renameSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { describe, expect, it, vi } from 'vitest';
import { markOf } from '../../src/database/database-files.ts';
import { Unavailable } from '../../src/database/engine.ts';
import { SqliteConnection } from '../../src/database/sqlite.ts';
import { openDeployment } from '../../src/open-deployment.ts';
import { cancelOrder } from '../../src/orders/change-status.ts';
import { runGroup } from '../../src/writer/group.ts';
import { verb } from '../../src/writer/verb.ts';
import { sqlite } from '../support/engines.ts';
import { startService, type TestService, type TestStore } from '../support/service.ts';

function cancel(
  { deployment }: Pick<TestService, 'deployment'>,
  { storeId }: TestStore,
  orderId: bigint,
): Promise<unknown> {
  return deployment.writer.apply(cancelOrder, { storeId, orderId, at: 0n });
}

/** The thread that the next change starts. */
function nextThread(): Promise<Worker> {
  return new Promise((resolve) => process.once('worker', resolve));
}

/** Settles once the thread is sent something. */
function nextMessageTo(thread: Worker): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const post = thread.postMessage;
  thread.postMessage = (...args) => {
    thread.postMessage = post;
    post.apply(thread, args);
    resolve();
  };
  return promise;
}

describe('the thread that writes to a SQLite file', () => {
  it('holds up nobody else while another program has its file locked', async () => {
    await using production = await startService(sqlite);
    await using staging = await startService(sqlite, { deployment: 'staging' });
    const [mine, theirs] = [await production.openStore(), await staging.openStore()];
    const held = await staging.database.holdWriters();
    const answered: string[] = [];
    const waiting = cancel(staging, theirs, 2n).then(() => answered.push('staging'));
    await cancel(production, mine, 2n).then(() => answered.push('production'));
    expect(answered).toEqual(['production']);
    await held[Symbol.asyncDispose]();
    await waiting;
    expect(answered).toEqual(['production', 'staging']);
  });

  it('is given up by a service after seven seconds, and by a command never: what it makes would be told to nobody', async () => {
    const started = nextThread();
    await using service = await startService(sqlite);
    const store = await service.openStore();
    const asked = nextMessageTo(await started);
    await using deployment = await openDeployment('production', service.database.location);
    const startedByCommand = nextThread();
    const held = await service.database.holdWriters();
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const ofService = cancel(service, store, 2n).catch((error: unknown) => error);
    const ofCommand = cancel({ deployment }, store, 4n).catch((error: unknown) => error);
    await Promise.all([asked, startedByCommand]);
    vi.advanceTimersByTime(7_000);
    vi.useRealTimers();
    expect(await ofService).toBeInstanceOf(Unavailable);
    await held[Symbol.asyncDispose]();
    expect(await ofCommand).not.toBeInstanceOf(Error);
  });

  it('may die: what it was asked is unavailable and not done, and the next change starts another', async () => {
    const started = nextThread();
    await using service = await startService(sqlite);
    const store = await service.openStore();
    const held = await service.database.holdWriters();
    const thread = await started;
    const asked = nextMessageTo(thread);
    const lost = expect(cancel(service, store, 2n)).rejects.toThrow(Unavailable);
    await asked;
    const dying = thread.terminate();
    await held[Symbol.asyncDispose]();
    await dying;
    await lost;

    const another = nextThread();
    for (const id of [2, 4, 6]) {
      const { status } = await service.request(`DELETE /v1/store/orders/${id}`, { key: store.key });
      expect([id, status]).toEqual([id, 204]);
    }
    expect((await another).threadId).not.toBe(thread.threadId);
  });

  it('goes on with no change of a group that SQLite has undone by itself, as it does when a page cannot be read', async () => {
    await using service = await startService(sqlite);
    const { storeId, key } = await service.openStore();
    const path = join(service.database.location.data, 'production.db');
    const connection = new SqliteConnection(path, 'write', markOf(path));
    const undone = verb('undone', async () => connection.exec('ROLLBACK'));
    const { outcomes } = await runGroup(
      (work) => work(connection),
      [
        { verb: undone, args: {} },
        { verb: cancelOrder, args: { storeId, orderId: 2n, at: 0n } },
      ],
    );
    connection.close();
    expect(outcomes).toMatchObject([
      { unavailable: expect.any(String) },
      { unavailable: expect.any(String) },
    ]);
    const { status } = await service.request('DELETE /v1/store/orders/2', { key });
    expect(status).toBe(204);
  });

  it('503 while it cannot open its file, and 204 as soon as it can', async () => {
    await using first = await startService(sqlite);
    const { key } = await first.openStore();
    await using service = await startService(sqlite, { beside: first.database });
    const file = join(first.database.location.data, 'production.db');
    renameSync(file, `${file}.away`);
    mkdirSync(file);
    const cancelling = () => service.request('DELETE /v1/store/orders/2', { key });
    expect(await cancelling()).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    rmdirSync(file);
    renameSync(`${file}.away`, file);
    expect((await cancelling()).status).toBe(204);
  });

  it('is not there before something is written', async () => {
    await using other = await startService(sqlite);
    const { key } = await other.openStore();
    // The first use of a key is written at once.
    await other.request('GET /v1/store/orders', { key });
    const used = 'SELECT id FROM keys WHERE last_used_at IS NOT NULL';
    await expect.poll(() => other.database.rows(used)).toHaveLength(1);
    const threads: Worker[] = [];
    const count = (worker: Worker) => threads.push(worker);
    process.on('worker', count);
    await using service = await startService(sqlite, { beside: other.database, inspector: false });
    expect((await service.request('GET /v1/store/orders', { key })).status).toBe(200);
    expect(threads).toHaveLength(0);
    expect((await service.request('DELETE /v1/store/orders/2', { key })).status).toBe(204);
    expect(threads).toHaveLength(1);
    process.off('worker', count);
  });
});
