import { existsSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { keyedSemaphore } from '../concurrency/keyed-semaphore.ts';
import { timeouts } from '../config/timeouts.ts';
import { type FileMark, markOf, requireSameFile } from './database-files.ts';
import { type Database, MAX_SNAPSHOTS, Unavailable, UnreadableDatabase, UnusableDatabase } from './engine.ts';
import type { Connection, Params, Query, Value } from './query.ts';

/** A commit is on disk when it returns, and what is deleted is gone. A log that grew gives its room back. */
const WRITING = `PRAGMA synchronous = FULL; PRAGMA cache_size = -16384; PRAGMA secure_delete = ON;
  PRAGMA journal_size_limit = ${64 * 1024 * 1024}`;

/** With a mark, it checks on opening, before each transaction and after its commit that the paths name the same files. */
export class SqliteConnection implements Connection, AsyncDisposable {
  readonly #db: DatabaseSync;
  readonly #path: string;
  readonly #files: Map<string, FileMark>;
  readonly #statements = new Map<Query<never, unknown>, { statement: StatementSync; columns: string[] }>();

  constructor(path: string, mode: 'read' | 'write', file?: FileMark) {
    this.#path = path;
    this.#files = new Map(file ? [[path, file]] : []);
    // The file must be there already, whatever it is opened for.
    const url = pathToFileURL(path);
    url.searchParams.set('mode', mode === 'read' ? 'ro' : 'rw');
    this.#db = translatingErrors(path, () => {
      this.#requireSameFiles();
      using opening = new DisposableStack();
      const options = { timeout: timeouts.busyTimeoutMs, readBigInts: true, returnArrays: true };
      const db = opening.use(new DatabaseSync(url, options));
      this.#requireSameFiles();
      if (mode === 'write') db.exec(WRITING);
      opening.move();
      return db;
    });
  }

  async all<P, R>(query: Query<P, R>, params: P): Promise<R[]> {
    const { sql, bind } = query.statementFor('sqlite');
    return this.#translatingErrors(() => {
      const { statement, columns } = this.#prepared(query, sql);
      const rows = statement.all(...bind(params as Params)) as unknown as Value[][];
      return rows.map((values) => rowOf(columns, values) as R);
    });
  }

  exec(sql: string): void {
    this.#translatingErrors(() => this.#db.exec(sql));
  }

  #translatingErrors<T>(work: () => T): T {
    return translatingErrors(this.#path, work, UnreadableDatabase);
  }

  /** Takes the write lock at once: no later statement finds the data changed under it. */
  async begin(): Promise<void> {
    this.#requireSameFiles();
    this.exec('BEGIN IMMEDIATE');
    for (const beside of [`${this.#path}-wal`, `${this.#path}-shm`])
      if (!this.#files.has(beside)) this.#files.set(beside, markOf(beside));
  }

  async commit(): Promise<void> {
    this.exec('COMMIT');
    this.#requireSameFiles();
  }

  async rollback(): Promise<void> {
    this.exec('ROLLBACK');
  }

  /** After some failures SQLite undoes a transaction by itself. */
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
    for (const [path, mark] of this.#files) requireSameFile(path, mark);
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

/** The driver's own objects are dictionaries: ten times as large, and slow to read from. */
function rowOf(columns: readonly string[], values: readonly Value[]): Record<string, Value> {
  const row: Record<string, Value> = {};
  for (let i = 0; i < columns.length; i++) row[columns[i] as string] = values[i] as Value;
  return row;
}

export const LOOK_MS = 1_000;
const OF_FILE = 0n;
/** While a snapshot is open the log cannot be begun anew; one that made it grow beyond this is given up. */
const MOST_LOG_BYTES = 256 * 1024 * 1024;

export function openSqlite(path: string, file: FileMark, { mostLogBytes = MOST_LOG_BYTES } = {}): Database {
  const reader = new SqliteConnection(path, 'read', file);
  const snapshots = keyedSemaphore(MAX_SNAPSHOTS);
  let lookedAt = performance.now();
  return {
    async all(query, params) {
      if (performance.now() - lookedAt > LOOK_MS) {
        requireSameFile(path, file);
        lookedAt = performance.now();
      }
      return reader.all(query, params);
    },
    async snapshot() {
      using opening = new DisposableStack();
      opening.use(await snapshots.acquire(OF_FILE));
      const connection = new SqliteConnection(path, 'read', file);
      opening.defer(() => connection.close());
      connection.exec('BEGIN');
      const looks = setInterval(() => isLogTooLong(path, mostLogBytes) && open.dispose(), LOOK_MS).unref();
      opening.defer(() => clearInterval(looks));
      const open = opening.move();
      return {
        async all(query, params) {
          if (open.disposed)
            throw new Unavailable('a list was read so slowly that its snapshot was given up');
          return connection.all(query, params);
        },
        [Symbol.asyncDispose]: async () => open.dispose(),
      };
    },
    pools: { snapshot: () => snapshots.count(OF_FILE) },
    async close() {
      reader.close();
    },
  };
}

export function isLogTooLong(path: string, maxBytes = MOST_LOG_BYTES): boolean {
  try {
    return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > maxBytes;
  } catch {
    return false;
  }
}

/** Carries the log over into the file, but for what somebody else still reads. */
export function foldLog(path: string, file: FileMark): void {
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
const busy = new Set([5, 6]);
/** Those for "not now": also read-only, I/O, full, cannot open. */
const passing = busy.union(new Set([8, 10, 13, 14]));
/** Corrupt, not a database. */
const damaged = new Set([11, 26]);

const primaryCode = (error: unknown) => Number((error as { errcode?: number } | undefined)?.errcode) & 0xff;
export const isBusy = (error: unknown) => busy.has(primaryCode(error));

export function translatingErrors<T>(
  path: string,
  work: () => T,
  DamagedError: typeof UnusableDatabase = UnusableDatabase,
): T {
  try {
    return work();
  } catch (error) {
    const code = primaryCode(error);
    const { message } = error as Error;
    const reason = !busy.has(code) && passing.has(code) && isFull(path) ? 'its disk is full' : message;
    if (passing.has(code))
      throw new Unavailable(`the database ${path} cannot be used now: ${reason}`, { cause: error });
    if (damaged.has(code))
      throw new DamagedError(`the database ${path} is damaged: ${message}`, { cause: error });
    throw error;
  }
}

const LEAST_ROOM_BYTES = 64 * 1024;

/** SQLite itself calls a full disk many things, such as an I/O error. */
function isFull(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize < LEAST_ROOM_BYTES;
  } catch {
    return false;
  }
}
