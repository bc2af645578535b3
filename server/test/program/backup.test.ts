import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { openDeployment } from '../../src/app/open-deployment.ts';
import { backUpRegularly } from '../../src/commands/maintenance.ts';
import { backUpSqlite } from '../../src/database/copy-sqlite.ts';
import { runCommand } from '../support/command.ts';
import { everyCase } from '../support/effort.ts';
import { engines, sqlite, temporaryFolder } from '../support/engines.ts';
import { runJob } from '../support/jobs.ts';
import { type RunningProgram, runProgram, startProgram, withModule } from '../support/program.ts';
import { startService, type TestService } from '../support/service.ts';
import { slowIt } from '../support/slow-it.ts';

/** Runs in this process; `petstore backup` uses a child process. */
const copying = (service: TestService) => (target: string) =>
  backUpSqlite(join(service.database.location.data, 'production.db'), target);

const ordersOf = async (program: Awaited<ReturnType<typeof startProgram>>) =>
  (await program.request('GET /v1/store/orders', { key: program.key }))
    .json<{ id: bigint }[]>()
    .map(({ id }) => id);

describe('backup and restore', () => {
  it('copy a running service at one point in time, and restore a stopped one', async () => {
    using folder = temporaryFolder();
    await using database = await sqlite.create();
    const copy = join(folder.path, 'copy.db');
    const path = join(database.location.data, 'production.db');
    {
      await using program = await startProgram(['--port', '0', ...database.flags]);
      const cancel = (id: number) => program.request(`DELETE /v1/store/orders/${id}`, { key: program.key });
      expect((await cancel(2)).status).toBe(204);
      expect(await runCommand(['backup', copy, ...database.flags])).toMatchObject({
        code: 0,
        stdout: `${copy}\n`,
      });
      expect((await cancel(6)).status).toBe(204);
      const early = await runCommand(['restore', copy, ...database.flags]);
      expect([early.code, early.stderr]).toEqual([1, expect.stringMatching(/is in use: stop the service/)]);
      expect(await ordersOf(program)).not.toContain(6n);
      expect((await program.stop('SIGTERM')).code).toBe(0);
    }
    expect(readdirSync(folder.path)).toEqual(['copy.db']);
    const nowhere = join(folder.path, 'no', 'copy.db');
    const rejected = await runCommand(['backup', nowhere, ...database.flags]);
    const reported = `${nowhere} could not be written: unable to open database file\n`;
    expect([rejected.code, rejected.stderr]).toEqual([1, expect.stringContaining(reported)]);
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    expect((await runCommand(['restore', copy, ...database.flags])).code).toBe(0);
    await using program = await startProgram(['--port', '0', ...database.flags]);
    const orders = await ordersOf(program);
    expect([orders.includes(2n), orders.includes(6n)]).toEqual([false, true]);
    expect(existsSync(`${path}-before-restore`)).toBe(true);
  });

  it('a damaged or unrelated copy is rejected, and the database stays unchanged', async () => {
    using folder = temporaryFolder();
    await using database = await sqlite.create();
    await runCommand(['keys', 'create', ...database.flags]);
    const path = join(database.location.data, 'production.db');
    const copy = join(folder.path, 'copy.db');
    await runCommand(['backup', copy, ...database.flags]);
    const before = readFileSync(path);
    const file = openSync(copy, 'r+');
    writeSync(file, Buffer.alloc(8192, 0xff), 0, 8192, 40_960);
    closeSync(file);
    const other = join(folder.path, 'other');
    writeFileSync(other, 'not a database at all');
    const changed = async (name: string, sql: string) => {
      const file = join(folder.path, name);
      await runCommand(['backup', file, ...database.flags]);
      using db = new DatabaseSync(file);
      db.exec(sql);
      return file;
    };
    for (const [bad, why] of [
      [copy, 'is damaged'],
      [other, 'is damaged: file is not a database'],
      [join(folder.path, 'missing'), 'not found'],
      [await changed('newer', 'PRAGMA user_version = 999'), 'newer has schema version 999, newer than'],
      [await changed('other shape', 'ALTER TABLE orders DROP COLUMN quantity'), 'lacks orders.quantity'],
      [
        await changed('bad row', "UPDATE orders SET status = 'pendinf' WHERE id = 3"),
        'bad row is damaged: order statuses: unknown status: store ',
      ],
    ] as const) {
      const { code, stderr } = await runCommand(['restore', bad, ...database.flags]);
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^petstore: [^\n]+\n$/)]);
      expect(stderr).toContain(why);
      expect(readFileSync(path)).toEqual(before);
      expect(readdirSync(database.location.data).join()).not.toMatch(/part|before/);
    }
  });

  it('a copy includes what is still in its -wal file', async () => {
    await using database = await sqlite.create();
    await using other = await sqlite.create();
    const flags = ['--port', '0', ...database.flags];
    await using killed = await startProgram(flags);
    expect((await killed.request('DELETE /v1/store/orders/2', { key: killed.key })).status).toBe(204);
    await killed.stop('SIGKILL');
    const path = join(database.location.data, 'production.db');
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(0);
    expect((await runCommand(['restore', path, ...other.flags])).stderr).toBe('');
    expect(await other.rows('SELECT status FROM orders WHERE id = 2')).toEqual([{ status: 'cancelled' }]);
  });

  slowIt('a restore killed at any time leaves either database complete', async () => {
    using folder = temporaryFolder();
    await using database = await sqlite.create();
    const copy = join(folder.path, 'copy.db');
    const stateOf = async () => {
      // As a start does.
      await (await openDeployment('production', database.location))[Symbol.asyncDispose]();
      using db = new DatabaseSync(join(database.location.data, 'production.db'), { readOnly: true });
      return String(db.prepare('SELECT status FROM orders WHERE id = 2').get()?.status);
    };
    const restore = (call: number) =>
      runProgram(['restore', copy, ...database.flags], {
        ...withModule(new URL('../support/kill-at-call.ts', import.meta.url)),
        env: { KILL_AT: String(call), KILL_BELOW: database.location.data },
      });
    await runCommand(['keys', 'create', ...database.flags]);
    await runCommand(['backup', copy, ...database.flags]);
    const cancel = "UPDATE orders SET status = 'cancelled' WHERE id = 2";
    const seen = new Set<string>();
    let calls = 0;
    for (let code: number | null = null; code === null; calls++) {
      {
        using db = new DatabaseSync(join(database.location.data, 'production.db'));
        db.exec(`PRAGMA journal_mode = WAL; ${cancel}`);
      }
      ({ code } = await restore(calls));
      seen.add(await stateOf());
    }
    expect([...seen]).toEqual(['cancelled', 'pending']);
    expect(calls).toBeGreaterThan(7);
  });

  it('scheduled copies run when due, and only the newest are retained', async () => {
    await using service = await startService(sqlite);
    await service.openStore();
    using folder = temporaryFolder();
    const job = (everyMs: number) =>
      backUpRegularly('production', folder.path, { everyMs, keep: 2 }, copying(service));
    await runJob(job(3_600_000));
    await runJob(job(3_600_000));
    const [first, ...more] = readdirSync(folder.path);
    expect([first, more]).toEqual([expect.stringMatching(/^production-.*Z\.db$/), []]);
    for (let i = 0; i < 3; i++) {
      const newest = readdirSync(folder.path).at(-1);
      const next = async () => {
        await runJob(job(1));
        return readdirSync(folder.path).at(-1);
      };
      await expect.poll(next).not.toBe(newest);
    }
    expect(readdirSync(folder.path)).toHaveLength(2);
    expect(readdirSync(folder.path)).not.toContain(first);
  });
});

it('a scheduled copy counts as failed only after it failed', async () => {
  using folder = temporaryFolder();
  const made: Array<PromiseWithResolvers<void>> = [];
  const copy = () => {
    const copying = Promise.withResolvers<void>();
    made.push(copying);
    return copying.promise;
  };
  const job = backUpRegularly('production', folder.path, { everyMs: 1, keep: 2 }, copy);
  const seen = [];
  for (const succeeded of [true, false, true]) {
    const run = runJob(job).catch(() => {});
    await expect.poll(() => made).toHaveLength(1);
    seen.push(job.lastOutcome?.()?.succeeded);
    const [copying] = made.splice(0);
    if (succeeded) copying?.resolve();
    else copying?.reject(new Error('no room'));
    await run;
    seen.push(job.lastOutcome?.()?.succeeded);
  }
  expect(seen).toEqual([true, true, true, false, false, true]);
});

it('scheduled copies continue after the clock was ahead for a while', async () => {
  await using service = await startService(sqlite);
  using folder = temporaryFolder();
  const ahead = new Date(Date.now() + 3 * 24 * 3_600_000);
  const ofTheFuture = ['production-9000-01-01.db', 'production-9000-01-02.db'];
  for (const file of ofTheFuture) {
    writeFileSync(join(folder.path, file), '');
    utimesSync(join(folder.path, file), ahead, ahead);
  }
  const plan = { everyMs: 3_600_000, keep: 2 };
  await runJob(backUpRegularly('production', folder.path, plan, copying(service)));
  expect(readdirSync(folder.path)).toEqual([expect.stringMatching(/^production-2.*Z\.db$/), ofTheFuture[1]]);
});

describe('in the background', () => {
  /** The process in which a program copies or checks its database, which has stopped before it began. */
  const catchWork = async (program: RunningProgram) => {
    const children = `/proc/${program.pid}/task/${program.pid}/children`;
    const find = () => readFileSync(children, 'utf8').trim();
    await expect.poll(find).not.toBe('');
    const pid = find();
    await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8')).toMatch(/\) T /);
    return Number(pid);
  };
  const withSuspendedJobs = withModule(new URL('../support/suspend-backup-and-check.ts', import.meta.url));
  const isAlive = (pid: number) => existsSync(`/proc/${pid}`);

  it.runIf(everyCase && process.platform === 'linux')(
    'a stalled copy delays no request, and ends with the service; its leftovers are removed',
    async () => {
      await using database = await sqlite.create();
      const backups = join(database.location.data, 'backups');
      const flags = ['--port', '0', ...database.flags, '--backup-every', '1h'];
      mkdirSync(backups);
      for (const end of ['', '-journal', '-wal', '-shm'])
        writeFileSync(join(backups, `production-2026-01-01.db.part${end}`), 'left by a kill');
      {
        await using program = await startProgram(flags, withSuspendedJobs);
        const pid = await catchWork(program);
        expect(readdirSync(backups).join()).not.toContain('production-2026-01-01');
        for (const path of ['/healthz', '/readyz'])
          expect((await program.request(`GET ${path}`)).status).toBe(200);
        expect((await program.stop('SIGTERM')).code).toBe(0);
        await expect.poll(() => isAlive(pid)).toBe(false);
      }
      await using program = await startProgram(flags);
      await expect.poll(() => readdirSync(backups)).toEqual([expect.stringMatching(/^production-2.*Z\.db$/)]);
      expect((await program.request('GET /healthz')).status).toBe(200);
    },
  );

  it.runIf(everyCase && process.platform === 'linux')(
    'the check after a crash delays no request, and ends with the service',
    async () => {
      await using database = await sqlite.create();
      const flags = ['--port', '0', ...database.flags];
      await using killed = await startProgram(flags);
      await killed.request('DELETE /v1/store/orders/2', { key: killed.key });
      await killed.stop('SIGKILL');
      await using program = await startProgram(flags, withSuspendedJobs);
      const pid = await catchWork(program);
      expect((await program.request('GET /healthz')).status).toBe(200);
      expect(await program.stop('SIGTERM')).toMatchObject({
        code: 0,
        stdout: expect.not.stringMatching(/"level":"error"/),
      });
      await expect.poll(() => isAlive(pid)).toBe(false);
    },
  );
});

describe.each(engines)('check on $name', (engine) => {
  it('checks a database in use, and reports inconsistencies', async () => {
    await using service = await startService(engine);
    const { storeId } = await service.openStore();
    const check = () => runCommand(['check', ...service.database.flags]);
    expect(await check()).toMatchObject({ code: 0, stderr: expect.stringMatching(/^check 100%.*\n$/) });
    for (const [change, line] of [
      ["status = 'pendinf'", /^order statuses: unknown status: store \d+, id 2$/m],
      ['pet_id = 99', /^order pets: pet not found: store \d+, id 2$/m],
      ['updated_at = 0', /^order times: updated before placed: store \d+, id 2$/m],
      ['revision = 99', /^order revisions: newer than the store: store \d+, id 2$/m],
    ] as const) {
      await service.database.exec(`UPDATE orders SET ${change} WHERE store_id = ${storeId} AND id = 2`);
      const { code, stdout, stderr } = await check();
      expect([code, stdout, stderr]).toEqual([
        1,
        expect.stringMatching(line),
        expect.stringMatching(/^check 100%.*\npetstore: the production database is damaged: see above\n$/),
      ]);
    }
  });

  it('finds wrong stock, counters that are behind, and changes missing from the event log', async () => {
    await using service = await startService(engine);
    const { key, storeId } = await service.openStore();
    const headers = { 'content-type': 'application/json' };
    for (const call of ['PATCH /v2/pets/1', 'PATCH /v2/pets/2'])
      expect((await service.request(call, { key, headers, body: '{"name":"Rex"}' })).status).toBe(200);
    for (const call of [
      'DELETE /v1/store/orders/2',
      'DELETE /v1/store/orders/4',
      'POST /v2/store/orders/6/ship',
      'POST /v2/store/orders/6/deliver',
    ])
      expect((await service.request(call, { key })).status).toBeLessThan(300);
    const ofStore = `WHERE store_id = ${storeId}`;
    await service.database.exec(
      `UPDATE pets SET stock = stock + 1 ${ofStore} AND id = 1;
       DELETE FROM changes ${ofStore} AND order_id = 4;
       UPDATE changes SET ship_date = NULL ${ofStore} AND order_id = 2;
       UPDATE changes SET quantity = quantity + 1 ${ofStore} AND type = 'order.shipped';
       UPDATE changes SET name = NULL ${ofStore} AND pet_id = 1 AND name = 'Rex';
       UPDATE changes SET type = 'pet.changee' ${ofStore} AND pet_id = 2 AND name = 'Rex';
       UPDATE stores SET next_order_id = 40, next_pet_id = 12, revision = 8 WHERE id = ${storeId}`,
    );
    const { code, stdout } = await runCommand(['check', ...service.database.flags]);
    expect(code).toBe(1);
    expect(stdout.split('\n').filter((line) => /: store \d/.test(line))).toEqual([
      `order revisions: newer than the store: store ${storeId}, id 6`,
      `change revisions: newer than the store: store ${storeId}, id 9`,
      `order ids: beyond the id counter: store ${storeId}, id 40`,
      `pet ids: beyond the id counter: store ${storeId}, id 12`,
      `stock: does not match the orders: store ${storeId}, id 1`,
      `order log: latest change differs from the order: store ${storeId}, id 2`,
      `order changes: contradict the order: store ${storeId}, id 8`,
      `change types: unknown type: store ${storeId}, id 5`,
      `pet log: latest change differs from the pet: store ${storeId}, id 1`,
      `latest changes: missing from the log: store ${storeId}, id 4`,
    ]);
  });
});

describe.each(engines)('check --repair on $name', (engine) => {
  it('repairs derived values while the service runs, and nothing else', async () => {
    await using service = await startService(engine);
    const { key, storeId } = await service.openStore();
    const summary = () => service.request('GET /v2/store/summary', { key });
    const before = await summary();
    await service.request('DELETE /v1/store/orders/2', { key });
    const expected = (await summary()).json<{ orders: object; weeks: object }>();
    await service.database.exec(
      `UPDATE order_counts SET count = count + 4 WHERE store_id = ${storeId} AND status = 'shipped';
       DELETE FROM order_counts WHERE store_id = ${storeId} AND status = 'cancelled';
       UPDATE stores SET next_order_id = 3, next_pet_id = 2, revision = revision - 1 WHERE id = ${storeId}`,
    );
    const repair = () => runProgram(['check', '--repair', ...service.database.flags]);
    const { code, stdout } = await repair();
    expect([code, stdout.split('\n').filter((line) => line.startsWith('repaired'))]).toEqual([
      0,
      ['revision', 'next_order_id', 'next_pet_id', 'order_counts'].map(
        (what) => `repaired: store ${storeId}, ${what}`,
      ),
    ]);
    const after = await summary();
    expect(after.json()).toMatchObject({ orders: expected.orders, weeks: expected.weeks });
    expect(after.headers.etag).not.toBe(before.headers.etag);
    const placed = await service.request('POST /v2/store/orders', {
      key,
      headers: { 'content-type': 'application/json' },
      body: '{"petId":5,"quantity":1}',
    });
    expect(placed.headers.location).toMatch(/\/41$/);
    await service.database.exec(`UPDATE pets SET stock = 1 WHERE store_id = ${storeId} AND id = 5;
      UPDATE changes SET placed_at = NULL WHERE store_id = ${storeId} AND order_id = 41`);
    const damaged = await repair();
    expect(damaged.code).toBe(1);
    expect(damaged.stdout).not.toContain('repaired');
    expect(damaged.stdout).toContain(
      `order log: latest change differs from the order: store ${storeId}, id 41`,
    );
  });
});

it('check finds a flipped byte where it contradicts an index', async () => {
  await using database = await sqlite.create();
  await runCommand(['keys', 'create', ...database.flags]);
  const path = join(database.location.data, 'production.db');
  const bytes = readFileSync(path);
  const at = bytes.indexOf('shipped');
  bytes[at] = 'S'.charCodeAt(0);
  writeFileSync(path, bytes);
  const { code, stdout } = await runCommand(['check', ...database.flags]);
  expect([code, stdout]).toEqual([1, expect.stringMatching(/^table orders: (?!ok)/m)]);
});
