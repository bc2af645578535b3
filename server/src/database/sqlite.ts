import { existsSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { keyedSemaphore } from '../concurrency/keyed-semaphore.ts';
import { timeouts } from '../config/timeouts.ts';
import { type FileIdentity, identityOf, requireSameFile } from './database-files.ts';
import { type Database, MAX_SNAPSHOTS, Unavailable, UnreadableDatabase, UnusableDatabase } from './engine.ts';
import type { Connection, Params, Query, Value } from './query.ts';

/** Commits are durable when they return, deleted data is overwritten, and a WAL that has grown is truncated to 64 MB. */
const WRITER_PRAGMAS = `PRAGMA synchronous = FULL; PRAGMA cache_size = -16384; PRAGMA secure_delete = ON;
  PRAGMA journal_size_limit = ${64 * 1024 * 1024}`;

/** With a `file`, checks on opening, before each transaction and after its commit that the path still names that file. */
export class SqliteConnection implements Connection, AsyncDisposable {
  readonly #db: DatabaseSync;
  readonly #path: string;
  readonly #files: Map<string, FileIdentity>;
  readonly #statements = new Map<Query<never, unknown>, { statement: StatementSync; columns: string[] }>();

  constructor(path: string, mode: 'read' | 'write', file?: FileIdentity) {
    this.#path = path;
    this.#files = new Map(file ? [[path, file]] : []);
    // `rw`: the file must exist.
    const url = pathToFileURL(path);
    url.searchParams.set('mode', mode === 'read' ? 'ro' : 'rw');
    this.#db = translateErrors(path, () => {
      this.#requireSameFiles();
      using opening = new DisposableStack();
      const options = { timeout: timeouts.busyTimeoutMs, readBigInts: true, returnArrays: true };
      const db = opening.use(new DatabaseSync(url, options));
      this.#requireSameFiles();
      if (mode === 'write') db.exec(WRITER_PRAGMAS);
      opening.move();
      return db;
    });
  }

  async all<P, R>(query: Query<P, R>, params: P): Promise<R[]> {
    const { sql, bind } = query.statementFor('sqlite');
    return this.#translateErrors(() => {
      const { statement, columns } = this.#prepared(query, sql);
      const rows = statement.all(...bind(params as Params)) as unknown as Value[][];
      return rows.map((values) => rowOf(columns, values) as R);
    });
  }

  exec(sql: string): void {
    this.#translateErrors(() => this.#db.exec(sql));
  }

  #translateErrors<T>(work: () => T): T {
    return translateErrors(this.#path, work, UnreadableDatabase);
  }

  /** Acquires the write lock immediately, so that no other connection can write before the first change. */
  async begin(): Promise<void> {
    this.#requireSameFiles();
    this.exec('BEGIN IMMEDIATE');
    for (const path of [`${this.#path}-wal`, `${this.#path}-shm`])
      if (!this.#files.has(path)) this.#files.set(path, identityOf(path));
  }

  async commit(): Promise<void> {
    this.exec('COMMIT');
    this.#requireSameFiles();
  }

  async rollback(): Promise<void> {
    this.exec('ROLLBACK');
  }

  /** SQLite rolls back automatically after some failures. */
  get isInTransaction(): boolean {
    return this.#db.isTransaction;
  }

  close(): void {
    this.#db.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
  }

  #requireSameFiles(): void {
    for (const [path, identity] of this.#files) requireSameFile(path, identity);
  }

  #prepared<P, R>(query: Query<P, R>, sql: string) {
    const known = this.#statements.get(query);
    if (known) return known;
    const statement = this.#db.prepare(sql);
    const prepared = { statement, columns: statement.columns().map(({ name }) => name) };
    this.#statements.set(query, prepared);
    return prepared;
  }
}

/** Rows as plain objects: the driver's own are dictionaries, ten times as large and slow to read. */
function rowOf(columns: readonly string[], values: readonly Value[]): Record<string, Value> {
  const row: Record<string, Value> = {};
  for (let i = 0; i < columns.length; i++) row[columns[i] as string] = values[i] as Value;
  return row;
}

export const FILE_CHECK_INTERVAL_MS = 1_000;
/** The only key of the semaphore: all snapshots share its limit. */
const SEMAPHORE_KEY = 0n;
/** SQLite cannot reset the WAL while a snapshot is open: beyond this size, the snapshot is closed. */
const MAX_WAL_BYTES = 256 * 1024 * 1024;

export function openSqlite(path: string, file: FileIdentity, { maxWalBytes = MAX_WAL_BYTES } = {}): Database {
  const reader = new SqliteConnection(path, 'read', file);
  const snapshots = keyedSemaphore(MAX_SNAPSHOTS);
  let checkedAt = performance.now();
  return {
    async all(query, params) {
      if (performance.now() - checkedAt > FILE_CHECK_INTERVAL_MS) {
        requireSameFile(path, file);
        checkedAt = performance.now();
      }
      return reader.all(query, params);
    },
    async snapshot() {
      using opening = new DisposableStack();
      opening.use(await snapshots.acquire(SEMAPHORE_KEY));
      const connection = new SqliteConnection(path, 'read', file);
      opening.defer(() => connection.close());
      connection.exec('BEGIN');
      const checks = setInterval(
        () => isWalTooLong(path, maxWalBytes) && resources.dispose(),
        FILE_CHECK_INTERVAL_MS,
      ).unref();
      opening.defer(() => clearInterval(checks));
      const resources = opening.move();
      return {
        async all(query, params) {
          if (resources.disposed)
            throw new Unavailable('the snapshot was closed because the list was read too slowly');
          return connection.all(query, params);
        },
        [Symbol.asyncDispose]: async () => resources.dispose(),
      };
    },
    pools: { snapshot: () => snapshots.usage(SEMAPHORE_KEY) },
    async close() {
      reader.close();
    },
  };
}

export function isWalTooLong(path: string, maxBytes = MAX_WAL_BYTES): boolean {
  try {
    return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > maxBytes;
  } catch {
    return false;
  }
}

/** Copies the WAL into the database file, except what other connections still read. */
export function checkpointWal(path: string, file: FileIdentity): void {
  if (!existsSync(`${path}-wal`)) return;
  try {
    const connection = new SqliteConnection(path, 'write', file);
    connection.exec('PRAGMA wal_checkpoint(PASSIVE)');
    connection.close();
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
  }
}

/** SQLite's primary result codes: busy, locked. */
const busyCodes = new Set([5, 6]);
/** Also: read-only, I/O, full, cannot open. */
const transientCodes = busyCodes.union(new Set([8, 10, 13, 14]));
/** Corrupt, not a database. */
const damageCodes = new Set([11, 26]);

const primaryCode = (error: unknown) => Number((error as { errcode?: number } | undefined)?.errcode) & 0xff;
export const isBusy = (error: unknown) => busyCodes.has(primaryCode(error));

export function translateErrors<T>(
  path: string,
  work: () => T,
  DamagedError: typeof UnusableDatabase = UnusableDatabase,
): T {
  try {
    return work();
  } catch (error) {
    const code = primaryCode(error);
    const { message } = error as Error;
    const reason =
      !busyCodes.has(code) && transientCodes.has(code) && isDiskFull(path) ? 'its disk is full' : message;
    if (transientCodes.has(code))
      throw new Unavailable(`the database ${path} is unavailable: ${reason}`, { cause: error });
    if (damageCodes.has(code))
      throw new DamagedError(`the database ${path} is damaged: ${message}`, { cause: error });
    throw error;
  }
}

const MIN_FREE_BYTES = 64 * 1024;

/** SQLite reports a full disk in several ways, such as an I/O error. */
function isDiskFull(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize < MIN_FREE_BYTES;
  } catch {
    return false;
  }
}
