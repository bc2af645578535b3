import { isRetryable, Unavailable, UnusableDatabase } from './engine.ts';
import { type Migration, migrations, missingMigrations } from './migrations.ts';
import { closeWithTimeout, connectClient, messageOf, PostgresConnection } from './postgres.ts';

/** Advisory lock, so that one of several starting replicas migrates while the others wait. */
const MIGRATION_LOCK = 0x50455453;
const MIGRATION_WAIT_MS = 300_000;
const MIGRATION_TIMEOUT_MS = 3_600_000;
/** How long a migration waits for a table in use: other statements queue behind it. */
const TABLE_LOCK_TIMEOUT = '10s';
/** Attempts of a migration that deadlocks, such as with a reader of two tables that it changes. */
const MAX_RUNS = 5;

export async function preparePostgres(url: string, acceptUnsafe: boolean, known = migrations) {
  await using session = await openMaintenanceSession(url);
  try {
    await requireSafeSettings(session, acceptUnsafe);
    const before = await migrateOnce(session, known);
    let last = before;
    while (last !== undefined) last = await migrateOnce(session, known);
    return { previousState: before === 0 ? 'missing' : 'clean', migratedFrom: before || undefined };
  } catch (error) {
    if (error instanceof UnusableDatabase) throw error;
    throw new UnusableDatabase(`the database cannot be prepared: ${messageOf(error)}`, { cause: error });
  }
}

export async function openMaintenanceSession(url: string, lockTimeoutMs = MIGRATION_WAIT_MS) {
  const limits = new URLSearchParams({
    query_timeout: String(MIGRATION_TIMEOUT_MS),
    statement_timeout: String(MIGRATION_TIMEOUT_MS),
    lock_timeout: String(lockTimeoutMs),
    idle_in_transaction_session_timeout: '0',
  });
  try {
    // Overrides the URL's own limits, which are for requests: the last of repeated parameters wins.
    const client = await connectClient(`${url}${url.includes('?') ? '&' : '?'}${limits}`);
    return Object.assign(new PostgresConnection(client), {
      [Symbol.asyncDispose]: () => closeWithTimeout(client),
    });
  } catch (error) {
    if (error instanceof Unavailable) throw new UnusableDatabase(error.message, { cause: error });
    throw new UnusableDatabase('--database is not a valid PostgreSQL URL');
  }
}

async function requireSafeSettings(session: PostgresConnection, acceptUnsafe: boolean): Promise<void> {
  const setting = async (name: string) => (await session.run({ text: `SHOW ${name}` })).rows[0]?.[name];
  for (const name of acceptUnsafe ? [] : ['fsync', 'full_page_writes', 'synchronous_commit']) {
    if ((await setting(name)) === 'off')
      throw new UnusableDatabase(
        `the database has ${name} off and could lose acknowledged changes; turn it on, or accept that with --accept-unsafe-database`,
      );
  }
  const encoding = await setting('server_encoding');
  // Names may contain any characters. SQL_ASCII stores bytes unchanged.
  if (encoding !== 'UTF8' && encoding !== 'SQL_ASCII')
    throw new UnusableDatabase(`the database encoding is ${encoding}: create one with ENCODING 'UTF8'`);
}

/** Runs one missing migration, so that locks are few and short. Returns the previous version, if one was missing. */
async function migrateOnce(session: PostgresConnection, known: readonly Migration[]) {
  for (let run = 1; ; run++) {
    try {
      return await migrateInTransaction(session, known);
    } catch (error) {
      await session.exec('ROLLBACK');
      if (!isRetryable(error) || run === MAX_RUNS) throw error;
    }
  }
}

async function migrateInTransaction(session: PostgresConnection, known: readonly Migration[]) {
  await session.exec('BEGIN');
  await session.exec(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`);
  await session.exec(`SET LOCAL lock_timeout = '${TABLE_LOCK_TIMEOUT}'`);
  await session.exec('CREATE TABLE IF NOT EXISTS petstore_schema (version BIGINT NOT NULL)');
  const { rows } = await session.run({ text: 'SELECT version FROM petstore_schema' });
  const version = Number(rows[0]?.version ?? 0);
  const { rows: columns } = await session.run({
    text: `SELECT table_name || '.' || column_name AS "fullName" FROM information_schema.columns WHERE table_schema = current_schema()`,
  });
  const [next] = missingMigrations('the database', version, columns, known);
  if (next) {
    // Blocks changes, which lock their store's row first, but not reads.
    if (version > 0) await session.exec('LOCK TABLE stores IN EXCLUSIVE MODE');
    for (const statement of next.statements('postgres')) await session.exec(statement);
    await session.exec('DELETE FROM petstore_schema');
    await session.exec(`INSERT INTO petstore_schema VALUES (${next.version})`);
  }
  await session.exec('COMMIT');
  return next ? version : undefined;
}
