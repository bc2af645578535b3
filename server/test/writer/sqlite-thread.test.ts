import { mkdirSync, renameSync, rmdirSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import threads, { type Worker } from 'node:worker_threads';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openDeployment } from '../../src/app/open-deployment.ts';
import { timeouts } from '../../src/config/timeouts.ts';
import { identityOf } from '../../src/database/database-files.ts';
import { Unavailable } from '../../src/database/engine.ts';
import { SqliteConnection } from '../../src/database/sqlite.ts';
import { cancelOrder } from '../../src/orders/change-status.ts';
import { runGroup } from '../../src/writer/group.ts';
import { openSqliteWriter } from '../../src/writer/sqlite-writer.ts';
import { verb } from '../../src/writer/verb.ts';
import { sqlite } from '../support/engines.ts';
import { HangingCalls } from '../support/hanging-calls.ts';
import { startService, type TestService, type TestStore } from '../support/service.ts';

function cancel(
  { deployment }: Pick<TestService, 'deployment'>,
  { storeId }: TestStore,
  orderId: bigint,
): Promise<unknown> {
  return deployment.writer.apply(cancelOrder, { storeId, orderId, at: 0n });
}

/** Resolves to the next thread that is started. */
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

describe('the SQLite writer thread', () => {
  it('delays no other request while another program locks its file', async () => {
    await using production = await startService(sqlite);
    await using staging = await startService(sqlite, { deployment: 'staging' });
    const [mine, theirs] = [await production.openStore(), await staging.openStore()];
    const held = await staging.database.holdWriters();
    const finished: string[] = [];
    const waiting = cancel(staging, theirs, 2n).then(() => finished.push('staging'));
    await cancel(production, mine, 2n).then(() => finished.push('production'));
    expect(finished).toEqual(['production']);
    await held[Symbol.asyncDispose]();
    await waiting;
    expect(finished).toEqual(['production', 'staging']);
  });

  it('that hangs in a call is replaced after seven one-second ticks, and waiting changes are rejected', async () => {
    using calls = new HangingCalls();
    await using service = await startService(sqlite);
    const store = await service.openStore();
    const passTime = stopIntervals();
    calls.arm(1);
    const stuck = cancel(service, store, 2n);
    await calls.waitUntilHung();
    passTime(7_000);
    const pending = Symbol('pending');
    expect(await Promise.race([stuck, Promise.resolve(pending)])).toBe(pending);
    passTime(1_000);
    await expect(stuck).rejects.toThrow('a call to it timed out');
    await expect(cancel(service, store, 4n)).rejects.toThrow('a call to it timed out');
    calls.arm(0);
    const isDone = () =>
      cancel(service, store, 4n).then(
        () => true,
        () => false,
      );
    await expect.poll(isDone).toBe(true);
  });

  it.each([
    ['that has not been scheduled since it was created', (calls: HangingCalls) => calls.armStart(), timeouts],
    ['of a command that is stuck in a call', (calls: HangingCalls) => calls.arm(1), undefined],
  ])('%s does not time out: the disk may be responsive', async (_, arm, limits) => {
    await using service = await startService(sqlite);
    const store = await service.openStore();
    using calls = new HangingCalls();
    const path = join(service.database.location.data, 'production.db');
    const writer = openSqliteWriter(path, identityOf(path), limits);
    const passTime = stopIntervals();
    arm(calls);
    const cancelling = cancel({ deployment: { ...service.deployment, writer } }, store, 2n);
    await calls.waitUntilHung();
    passTime(3_600_000);
    calls.arm(0);
    await cancelling;
    await writer.close();
  });

  it('that dies rejects its change as unavailable, without applying it; the next change starts another thread', async () => {
    const started = nextThread();
    await using service = await startService(sqlite);
    const store = await service.openStore();
    const held = await service.database.holdWriters();
    const thread = await started;
    const message = nextMessageTo(thread);
    const lost = expect(cancel(service, store, 2n)).rejects.toThrow(Unavailable);
    await message;
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

  it('that cannot be created, for example without memory, is created by the next change', async () => {
    const started = nextThread();
    await using service = await startService(sqlite);
    const store = await service.openStore();
    await (await started).terminate();
    const restore = replaceWorker(
      () =>
        class {
          constructor() {
            throw new Error('Worker initialization failure: EAGAIN');
          }
        },
    );
    await expect(cancel(service, store, 2n)).rejects.toThrow(/is not writable: .*EAGAIN/);
    restore();
    await cancel(service, store, 2n);
  });

  it('does not continue a group that SQLite rolled back, as after an unreadable page', async () => {
    await using service = await startService(sqlite);
    const { storeId, key } = await service.openStore();
    const path = join(service.database.location.data, 'production.db');
    const connection = new SqliteConnection(path, 'write', identityOf(path));
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
    await using service = await startService(sqlite, { database: first.database });
    const file = join(first.database.location.data, 'production.db');
    renameSync(file, `${file}.away`);
    mkdirSync(file);
    const cancelling = () => service.request('DELETE /v1/store/orders/2', { key });
    expect(await cancelling()).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    rmdirSync(file);
    renameSync(`${file}.away`, file);
    expect((await cancelling()).status).toBe(204);
  });

  it('runs before the service listens, and performs every write', async () => {
    await using other = await startService(sqlite);
    const { key } = await other.openStore();
    const threads: Worker[] = [];
    const count = (worker: Worker) => threads.push(worker);
    process.on('worker', count);
    onTestFinished(() => void process.off('worker', count));
    let before = 0;
    await using service = await startService(sqlite, {
      database: other.database,
      prepare() {
        before = threads.length;
      },
    });
    expect((await service.request('DELETE /v1/store/orders/2', { key })).status).toBe(204);
    expect([before, threads.length]).toEqual([1, 1]);
  });

  it('prevents the service from starting if it cannot start, with the reason', async () => {
    await using other = await startService(sqlite);
    replaceWorker(
      (Worker) =>
        class extends Worker {
          constructor() {
            super(new URL('./no-such-thread.ts', import.meta.url));
          }
        },
    );
    const opening = openDeployment('production', other.database.location, timeouts);
    await expect(opening).rejects.toThrow(Unavailable);
    await expect(opening).rejects.toThrow(/is not writable: .*no-such-thread/);
  });
});

/** Until the test ends or the returned function is called, threads are created by another constructor. */
function replaceWorker(change: (original: typeof Worker) => new () => object): () => void {
  const original = threads.Worker;
  const set = (changed: unknown) => {
    threads.Worker = changed as typeof Worker;
    syncBuiltinESMExports();
  };
  set(change(original));
  onTestFinished(() => set(original));
  return () => set(original);
}

/** Until the test ends, intervals elapse only on request. */
function stopIntervals(): (ms: number) => void {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  return (ms) => vi.advanceTimersByTime(ms);
}
