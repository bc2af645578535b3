import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Connection } from '../../src/database/query.ts';
import { eventRetention } from '../../src/events/event-retention.ts';
import { prune, pruneExpired } from '../../src/stores/prune-expired.ts';
import { fastAccounts, signUpAndIn } from '../accounts/browser.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { runJob } from '../support/jobs.ts';
import { startService, type TestService } from '../support/service.ts';
import { clientOf } from '../support/v2.ts';

const ROWS = 1_200;
const STORES = 900;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** Data with limited retention: for how long, and when the oldest was created. */
const retention: Record<string, readonly [ms: number, oldest: string]> = {
  events: [30 * DAY_MS, 'SELECT min(at) AS at FROM changes'],
  deliveries: [7 * DAY_MS, 'SELECT min(created_at) AS at FROM deliveries'],
  requests: [DAY_MS, 'SELECT min(id) / 1048576 AS at FROM requests'],
  trail: [90 * DAY_MS, 'SELECT min(at) AS at FROM audit'],
  responses: [DAY_MS, `SELECT min(expires_at) - ${DAY_MS} AS at FROM idempotency`],
};

async function oldestOf({ rows }: TestDatabase): Promise<Record<string, number>> {
  const found = Object.entries(retention).map(async ([kind, [, oldest]]) => [
    kind,
    Number((await rows(oldest))[0]?.at ?? Number.NaN),
  ]);
  return Object.fromEntries(await Promise.all(found));
}

/** Rows of every kind that expires: `ROWS` at time 1,000, and one of each at 5,000,000. */
async function fill(database: TestDatabase, storeId: bigint): Promise<void> {
  const numbers = Array.from({ length: ROWS + 1 }, (_, i) => ({ i, at: i < ROWS ? 1_000 : 5_000_000 }));
  const insert = (into: string, row: (n: { i: number; at: number }) => string) =>
    `INSERT INTO ${into} VALUES ${numbers.map((n) => `(${row(n)})`).join()}`;
  await database.exec("INSERT INTO accounts VALUES ('a', 'a@pets.example', 0)");
  await database.exec(
    insert(
      'sessions (id, account_id, token, created_at, seen_at, address, agent, expires_at)',
      ({ i, at }) => `'s${i}', 'a', 't${i}', 0, 0, '', '', ${at}`,
    ),
  );
  await database.exec(
    insert(
      'keys (hash, id, store_id, name, last_four, scope, created_at, expires_at, session_id)',
      ({ i, at }) => `'h${i}', 'k${i}', ${storeId}, '', '', 'full', 0, ${at}, 's${ROWS}'`,
    ),
  );
  await database.exec(insert('attempts (bucket, count, ends_at)', ({ i, at }) => `'b${i}', 1, ${at}`));
  await database.exec(
    insert(
      'idempotency (store_id, key, fingerprint, answer, number, expires_at)',
      ({ i, at }) => `${storeId}, 'i${i}', '', '', ${i}, ${at}`,
    ),
  );
}

async function expiring({ database }: TestService): Promise<unknown[]> {
  const [row] = await database.rows(
    `SELECT (SELECT count(*) FROM sessions) AS a, (SELECT count(*) FROM keys WHERE session_id IS NOT NULL) AS b,
       (SELECT count(*) FROM attempts) AS c, (SELECT count(*) FROM idempotency) AS d`,
  );
  return Object.values(row ?? {});
}

describe.each(engines)('pruning on $name', (engine) => {
  it('deletes exactly the expired rows, in steps', async () => {
    await using service = await startService(engine, { now: () => 0 });
    const { storeId } = await service.openStore();
    await fill(service.database, storeId);
    const { db, writer } = service.deployment;
    expect(await writer.apply(prune, { table: 'attempts', at: 2_000n })).toBe(500);
    await runJob(pruneExpired(db, writer, () => 2_000_000));
    expect(await expiring(service)).toEqual([1n, 1n, 1n, 1n]);
  });

  it.each([
    ['what has expired', pruneExpired, 0],
    ['events', eventRetention, 1],
  ])('of %s handles many stores at once', async (_, open, mostMore) => {
    await using service = await startService(engine, { now: () => 0, intervalMs: 1e9 });
    const { storeId } = await service.openStore();
    const { db, writer } = service.deployment;
    let queries = 0;
    const counting: Connection = {
      all(query, params) {
        queries++;
        return db.all(query, params);
      },
    };
    const countQueries = async () => {
      queries = 0;
      await runJob(open(counting, writer, () => 1_000));
      return queries;
    };
    const ofOneStore = await countQueries();
    const n = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${STORES})`;
    await service.database.exec(
      `INSERT INTO stores (id, revision, next_order_id, next_pet_id, created_at) ${n}
         SELECT ${storeId} + i, 1, 1, 1, 0 FROM n;
       INSERT INTO idempotency (store_id, key, fingerprint, answer, number, expires_at) ${n}
         SELECT ${storeId} + i, 'key', '', '', 1, 9000000 FROM n`,
    );
    expect(await countQueries()).toBeLessThanOrEqual(ofOneStore + mostMore);
  });

  it('continues with other kinds if one cannot be deleted', async () => {
    await using service = await startService(engine, { now: () => 0 });
    const { storeId } = await service.openStore();
    await fill(service.database, storeId);
    await service.database.exec(
      "CREATE TABLE holding (bucket TEXT REFERENCES attempts (bucket)); INSERT INTO holding VALUES ('b0')",
    );
    const { db, writer } = service.deployment;
    const failures: unknown[] = [];
    const { signal } = new AbortController();
    await pruneExpired(db, writer, () => 2_000_000).run(signal, async (work) => {
      await work().catch((error) => failures.push(error));
    });
    expect(failures).toHaveLength(1);
    expect(await expiring(service)).toEqual([1n, 1n, BigInt(ROWS + 1), 1n]);
  });

  it('runs once if two replicas start it at the same time', async () => {
    await using service = await startService(engine, { now: () => 0 });
    await using replica = await startService(engine, { now: () => 0, database: service.database });
    const { storeId } = await service.openStore();
    await fill(service.database, storeId);
    await Promise.all(
      [service, replica].map(({ deployment: { db, writer } }) =>
        runJob(pruneExpired(db, writer, () => 2_000_000)),
      ),
    );
    expect(await expiring(service)).toEqual([1n, 1n, 1n, 1n]);
  });

  it('runs automatically, and retains each kind exactly as long as documented', async () => {
    await using database = await engine.create();
    const end = Date.parse('2026-11-15T12:00:00Z');
    let now = 0;
    const just = (late: number) =>
      Object.fromEntries(Object.entries(retention).map(([kind, [ms]]) => [kind, end - ms + late]));
    {
      // Jobs run once at the start and finish before the clock moves, so nothing has expired yet.
      vi.useFakeTimers({ toFake: ['setTimeout'] });
      onTestFinished(() => void vi.useRealTimers());
      await using service = await startService(engine, {
        database,
        accounts: fastAccounts,
        now: () => now,
      });
      await service.app.idle();
      const client = clientOf(service, await service.openStore());
      const { id } = (
        await client('POST /v2/webhooks', { body: { url: 'https://receiver.invalid/' } })
      ).json<{
        id: string;
      }>();
      await client(`PATCH /v2/webhooks/${id}`, { body: { active: false } });
      const order = { petId: 5, quantity: 1 };
      const times = [just(-MINUTE_MS), just(MINUTE_MS)].flatMap((times) => Object.values(times));
      for (now of times.sort((a, b) => a - b)) {
        await client('PATCH /v2/pets/1', { body: { stock: 5 } });
        await client(`POST /v2/webhooks/${id}/test`);
        await client('POST /v2/store/orders', { body: order, headers: { 'idempotency-key': String(now) } });
        await signUpAndIn(service);
      }
      vi.useRealTimers();
    }
    expect(Math.max(...Object.values(await oldestOf(database)))).toBeLessThan(end - 90 * DAY_MS);
    await using later = await startService(engine, { database, now: () => end });
    await later.app.idle();
    expect(await oldestOf(database)).toEqual(just(MINUTE_MS));
  });
});
