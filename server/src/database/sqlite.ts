import { chmodSync, closeSync, openSync, statSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { type Connection, type Database, Unavailable, UnusableDatabase } from './engine.ts';
import { type Migration, migrations, missingMigrations } from './migrations.ts';
import type { Params, Query, Value } from './query.ts';

/** Marks a file as ours ("PETS"), so that another program's database is never migrated by mistake. */
const APPLICATION_ID = 0x50455453;
const BUSY_TIMEOUT_MS = 5_000;
/**
 * A commit is on disk when it returns. It goes to the log alone; the log is carried over into the file once it has
 * grown to 64 MB rather than the usual 4, and pages wanted again are found in 16 MB of memory rather than in 2.
 */
const WRITING =
  'PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 16384; PRAGMA cache_size = -16384; ' +
  // What is deleted is overwritten: a name must not stay in the file.
  'PRAGMA secure_delete = ON';
/** Up to this size the whole file is checked at every start; beyond it, the check would delay the start. */
const FULL_CHECK_BYTES = 64 * 1024 * 1024;

/** Brings the file to the newest schema, creating it if need be. Refuses what it cannot safely use. */
export function prepareSqlite(path: string, known = migrations): void {
  keepToOwner(path);
  translate(path, () => {
    using db = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    if (statSync(path).size <= FULL_CHECK_BYTES) checkIntegrity(db, path);
    db.exec('BEGIN IMMEDIATE');
    migrate(db, path, known);
    db.exec('COMMIT');
  });
}

/** The files are for their owner alone, whatever folder they are in; SQLite gives its logs the mode of the file. */
function keepToOwner(path: string): void {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    try {
      // Made by us, it is never open to others, not even for a moment.
      if (file === path) closeSync(openSync(path, 'a', 0o600));
      if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600);
    } catch {
      // A file that is not there has no mode; one that cannot be opened is explained when it is opened.
    }
  }
}

function checkIntegrity(db: DatabaseSync, path: string): void {
  const verdict = String(db.prepare('PRAGMA quick_check(1)').get()?.quick_check);
  if (verdict !== 'ok')
    throw new UnusableDatabase(`the database ${path} is damaged (${verdict.replaceAll('\n', ' ')})`);
}

function migrate(db: DatabaseSync, path: string, known: readonly Migration[]): void {
  const pragma = (name: string) => Number(Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
  const tables = Number(db.prepare('SELECT count(*) AS n FROM sqlite_schema').get()?.n);
  if (tables > 0 && pragma('application_id') !== APPLICATION_ID) {
    throw new UnusableDatabase(`${path} is a database of another program`);
  }
  const version = pragma('user_version');
  for (const migration of missingMigrations(version, `the database ${path}`, known)) {
    for (const statement of migration.statements('sqlite')) db.exec(statement);
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${migration.version}`);
  }
}

/** One SQLite connection. Its answers are ready at once, but handed out as promises, like any engine's. */
export class SqliteConnection implements Connection {
  readonly #db: DatabaseSync;
  readonly #path: string;
  readonly #statements = new Map<Query<never, unknown>, StatementSync>();

  constructor(path: string, mode: 'read' | 'write') {
    this.#path = path;
    this.#db = translate(path, () => {
      const db = new DatabaseSync(path, { readOnly: mode === 'read', timeout: BUSY_TIMEOUT_MS });
      try {
        if (mode === 'write') db.exec(WRITING);
        return db;
      } catch (error) {
        db.close();
        throw error;
      }
    });
  }

  async all<P, R>(query: Query<P, R>, params: P): Promise<R[]> {
    return this.allNow(query, params);
  }

  allNow<P, R>(query: Query<P, R>, params: P): R[] {
    const statement = query.on('sqlite');
    return translate(this.#path, () =>
      this.#prepared(query, statement.sql).all(...(statement.bind(params as Params) as Value[])),
    ) as R[];
  }

  exec(sql: string): void {
    translate(this.#path, () => this.#db.exec(sql));
  }

  close(): void {
    this.#db.close();
  }

  #prepared<P, R>(query: Query<P, R>, sql: string): StatementSync {
    const known = this.#statements.get(query);
    if (known) return known;
    const statement = this.#db.prepare(sql);
    statement.setReadBigInts(true);
    this.#statements.set(query, statement);
    return statement;
  }
}

/** Opens an already prepared file for reading. */
export function openSqlite(path: string): Database {
  const reader = new SqliteConnection(path, 'read');
  return {
    all: (query, params) => reader.all(query, params),
    async snapshot() {
      const connection = new SqliteConnection(path, 'read');
      connection.exec('BEGIN');
      return {
        all: (query, params) => connection.all(query, params),
        [Symbol.asyncDispose]: async () => connection.close(),
      };
    },
    async close() {
      reader.close();
    },
  };
}

/** SQLite's primary result codes that mean "not now" rather than "never". */
const passing = new Set([
  5 /* busy */, 6 /* locked */, 8 /* read-only */, 10 /* i/o */, 13 /* full */, 14 /* cannot open */,
]);
const damaged = new Set([11 /* corrupt */, 26 /* not a database */]);

/** Runs `work`, turning SQLite's error codes into errors the service knows how to answer. */
function translate<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const code = Number((error as { errcode?: number }).errcode) & 0xff;
    const reason = (error as Error).message;
    if (passing.has(code))
      throw new Unavailable(`the database ${path} cannot be used now: ${reason}`, { cause: error });
    if (damaged.has(code))
      throw new UnusableDatabase(`the database ${path} is damaged: ${reason}`, { cause: error });
    throw error;
  }
}
