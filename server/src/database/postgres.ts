import pg from 'pg';
import { type Database, UnusableDatabase } from './engine.ts';
import { migrations } from './migrations.ts';
import { clientConfig, PostgresLink, PostgresSession } from './postgres-link.ts';

/** Held while migrating, so that of many replicas starting at once one migrates and the others wait for it. */
const MIGRATION_LOCK = 0x50455453;
const MIGRATION_TIMEOUT_MS = 300_000;
/** Connections for reading; each carries many queries at a time. */
const READ_LINKS = 4;
/** Snapshots that may be open at once: each needs a connection to itself. */
const MOST_SNAPSHOTS = 8;

/** Brings the database to the newest schema. Refuses one that is newer, or that would forget what it acknowledged. */
export async function preparePostgres(
  url: string,
  { acceptUnsafe }: { acceptUnsafe: boolean },
): Promise<void> {
  const client = new pg.Client({
    ...clientConfig(url),
    lock_timeout: MIGRATION_TIMEOUT_MS,
    statement_timeout: MIGRATION_TIMEOUT_MS,
    query_timeout: MIGRATION_TIMEOUT_MS,
  });
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    throw new UnusableDatabase(
      `cannot connect to the database: ${(error as Error).message || (error as { code?: string }).code}`,
    );
  }
  try {
    if (!acceptUnsafe) await refuseUnsafe(client);
    await client.query('BEGIN');
    await migrate(client);
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
}

async function refuseUnsafe(client: pg.Client): Promise<void> {
  for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit']) {
    const { rows } = await client.query(`SHOW ${setting}`);
    if (rows[0]?.[setting] === 'off') {
      throw new UnusableDatabase(
        `the database has ${setting} off and could lose acknowledged changes; turn it on, or accept that with --accept-unsafe-database`,
      );
    }
  }
}

async function migrate(client: pg.Client): Promise<void> {
  await client.query(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`);
  await client.query('CREATE TABLE IF NOT EXISTS petstore_schema (version BIGINT NOT NULL)');
  const { rows } = await client.query<{ version: bigint }>('SELECT version FROM petstore_schema');
  const version = Number(rows[0]?.version ?? 0);
  if (version > migrations.length) {
    throw new UnusableDatabase(
      `the database has schema version ${version}, newer than this program's ${migrations.length}: use a newer petstore`,
    );
  }
  for (const migration of migrations.slice(version)) {
    for (const statement of migration('postgres')) await client.query(statement);
  }
  await client.query('DELETE FROM petstore_schema');
  await client.query(`INSERT INTO petstore_schema VALUES (${migrations.length})`);
}

/** Opens an already prepared database for reading. */
export function openPostgres(url: string): Database {
  const links = Array.from({ length: READ_LINKS }, () => new PostgresLink(url));
  const snapshots = new Slots(MOST_SNAPSHOTS);
  return {
    async all(query, params) {
      const link = links.reduce((best, link) => (link.load < best.load ? link : best));
      return (await link.session()).all(query, params);
    },
    async snapshot() {
      const release = await snapshots.take();
      try {
        const session = await PostgresSession.open(url);
        const end = () => session.close().finally(release);
        await session.exec('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY').catch(async (error) => {
          await end();
          throw error;
        });
        return { all: (query, params) => session.all(query, params), [Symbol.asyncDispose]: end };
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

/** Lets so many through at a time; the others wait their turn. */
class Slots {
  #free: number;
  readonly #waiting: Array<() => void> = [];

  constructor(count: number) {
    this.#free = count;
  }

  async take(): Promise<() => void> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    };
  }
}
