import { type Connection, type Database, type Found, Unavailable, UnusableDatabase } from './engine.ts';
import { type Migration, migrations, missingMigrations } from './migrations.ts';
import { clientConfig, messageOf, PostgresLink, PostgresSession } from './postgres-link.ts';
import { Slots } from './slots.ts';

/** Held while migrating, so that of many replicas starting at once one migrates and the others wait for it. */
const MIGRATION_LOCK = 0x50455453;
const MIGRATION_WAIT_MS = 300_000;
const MIGRATION_TIMEOUT_MS = 3_600_000;
/** A migration waits only so long for a table in use: whoever comes after waits behind it. */
const TABLE_LOCK = '10s';
/** Connections for reading; each carries many queries at a time. */
const READ_LINKS = 4;
/** Snapshots that may be open at once: each needs a connection to itself. */
const MOST_SNAPSHOTS = 8;
/** A snapshot locks nothing, and may have to wait for a slow reader of what it shows. */
const SNAPSHOT_IDLE_MS = 600_000;

/** Brings the database to the newest schema, and says what it found. Refuses one that is newer, or that would forget what it acknowledged. */
export async function preparePostgres(
  url: string,
  { acceptUnsafe, known = migrations }: { acceptUnsafe: boolean; known?: readonly Migration[] },
): Promise<Found> {
  const session = await openPatiently(url);
  try {
    if (!acceptUnsafe) await refuseUnsafe(session);
    await refuseOtherEncodings(session);
    const version = await migrateOnce(session, known);
    while ((await migrateOnce(session, known)) !== undefined);
    return version === 0 ? 'nothing' : 'closed';
  } catch (error) {
    if (error instanceof UnusableDatabase) throw error;
    throw new UnusableDatabase(`the database cannot be prepared: ${messageOf(error)}`, { cause: error });
  } finally {
    await session.close();
  }
}

/** For a command that looks through everything: its statements may take long. */
export async function openPatientPostgres(url: string): Promise<Connection & AsyncDisposable> {
  const session = await openPatiently(url);
  return {
    all: (query, params) => session.all(query, params),
    [Symbol.asyncDispose]: () => session.close(),
  };
}

async function openPatiently(url: string): Promise<PostgresSession> {
  try {
    return await PostgresSession.open(url, {
      ...clientConfig(url),
      lock_timeout: MIGRATION_WAIT_MS,
      statement_timeout: MIGRATION_TIMEOUT_MS,
      query_timeout: MIGRATION_TIMEOUT_MS,
      idle_in_transaction_session_timeout: 0,
    });
  } catch (error) {
    if (error instanceof Unavailable) throw new UnusableDatabase(error.message, { cause: error });
    throw new UnusableDatabase('--database is not an address that PostgreSQL understands');
  }
}

async function setting(session: PostgresSession, name: string): Promise<string> {
  const { rows } = await session.run({ text: `SHOW ${name}` });
  return String(rows[0]?.[name]);
}

async function refuseUnsafe(session: PostgresSession): Promise<void> {
  for (const name of ['fsync', 'full_page_writes', 'synchronous_commit']) {
    if ((await setting(session, name)) === 'off') {
      throw new UnusableDatabase(
        `the database has ${name} off and could lose acknowledged changes; turn it on, or accept that with --accept-unsafe-database`,
      );
    }
  }
}

/** Names of pets are any text. SQL_ASCII keeps the bytes that it is given. */
async function refuseOtherEncodings(session: PostgresSession): Promise<void> {
  const encoding = await setting(session, 'server_encoding');
  if (encoding === 'UTF8' || encoding === 'SQL_ASCII') return;
  throw new UnusableDatabase(`the database keeps text as ${encoding}: create one with ENCODING 'UTF8'`);
}

/**
 * One migration, if one is missing, in a transaction of its own: it locks few tables, and not for long. Gives the
 * version that was there before it. Replicas that start together take turns.
 */
async function migrateOnce(
  session: PostgresSession,
  known: readonly Migration[],
): Promise<number | undefined> {
  await session.exec('BEGIN');
  await session.exec(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`);
  await session.exec(`SET LOCAL lock_timeout = '${TABLE_LOCK}'`);
  await session.exec('CREATE TABLE IF NOT EXISTS petstore_schema (version BIGINT NOT NULL)');
  const { rows } = await session.run({ text: 'SELECT version FROM petstore_schema' });
  const version = Number(rows[0]?.version ?? 0);
  const [next] = missingMigrations(version, 'the database', known);
  if (next) {
    for (const statement of next.statements('postgres')) await session.exec(statement);
    await session.exec('DELETE FROM petstore_schema');
    await session.exec(`INSERT INTO petstore_schema VALUES (${next.version})`);
  }
  await session.commit();
  return next && version;
}

/** Opens an already prepared database for reading. */
export function openPostgres(url: string): Database {
  const links = Array.from({ length: READ_LINKS }, () => new PostgresLink(url));
  const snapshots = new Slots(MOST_SNAPSHOTS);
  return {
    isRemote: true,
    async all(query, params) {
      return (leastLoaded(links) ?? (await firstOpened(links))).all(query, params);
    },
    async snapshot() {
      const release = await snapshots.take();
      try {
        return await openSnapshot(url, release);
      } catch (error) {
        release();
        throw error;
      }
    },
    async close() {
      await Promise.all(links.map((link) => link.close()));
    },
  };
}

/** The session with the fewest queries under way. Lost ones come back in the background. */
function leastLoaded(links: readonly PostgresLink[]): PostgresSession | undefined {
  let best: PostgresSession | undefined;
  for (const link of links) {
    const { current } = link;
    if (!current) link.session().catch(() => {});
    else if (!best || current.load < best.load) best = current;
  }
  return best;
}

async function firstOpened(links: readonly PostgresLink[]): Promise<PostgresSession> {
  try {
    return await Promise.any(links.map((link) => link.session()));
  } catch (error) {
    throw (error as AggregateError).errors[0];
  }
}

async function openSnapshot(url: string, onEnd: () => void): Promise<Connection & AsyncDisposable> {
  const session = await PostgresSession.open(url, {
    ...clientConfig(url),
    idle_in_transaction_session_timeout: SNAPSHOT_IDLE_MS,
  });
  try {
    await session.exec('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  } catch (error) {
    session.destroy();
    throw error;
  }
  return {
    all: (query, params) => session.all(query, params),
    [Symbol.asyncDispose]: () => session.close().finally(onEnd),
  };
}
