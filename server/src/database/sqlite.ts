import { existsSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { type FileMark, requireSameFile } from './database-files.ts';
import { type Connection, Unavailable, UnusableDatabase } from './engine.ts';
import type { Params, Query, Value } from './query.ts';

export const BUSY_TIMEOUT_MS = 5_000;
/** A commit is on disk when it returns, and what is deleted is gone. A log that grew gives its room back. */
const WRITING = `PRAGMA synchronous = FULL; PRAGMA cache_size = -16384; PRAGMA secure_delete = ON;
  PRAGMA journal_size_limit = ${64 * 1024 * 1024}`;

export class SqliteConnection implements Connection, AsyncDisposable {
  readonly #db: DatabaseSync;
  readonly path: string;
  readonly #statements = new Map<Query<never, unknown>, Prepared>();

  constructor(path: string, mode: 'read' | 'write', file?: FileMark) {
    this.path = path;
    this.#db = translate(path, () => {
      if (file) requireSameFile(path, file);
      using opening = new DisposableStack();
      const options = { timeout: BUSY_TIMEOUT_MS, readBigInts: true, returnArrays: true };
      const db = opening.use(new DatabaseSync(existing(path, mode), options));
      if (file) requireSameFile(path, file);
      if (mode === 'write') db.exec(WRITING);
      opening.move();
      return db;
    });
  }

  async all<P, R>(query: Query<P, R>, params: P): Promise<R[]> {
    const { sql, bind } = query.on('sqlite');
    return translate(this.path, () => {
      const { statement, columns } = this.#prepared(query, sql);
      const rows = statement.all(...bind(params as Params)) as unknown as Value[][];
      return rows.map((values) => rowOf(columns, values) as R);
    });
  }

  exec(sql: string): void {
    translate(this.path, () => this.#db.exec(sql));
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

  #prepared<P, R>(query: Query<P, R>, sql: string): Prepared {
    const known = this.#statements.get(query);
    if (known) return known;
    const statement = this.#db.prepare(sql);
    const prepared = { statement, columns: statement.columns().map(({ name }) => name) };
    this.#statements.set(query, prepared);
    return prepared;
  }
}

interface Prepared {
  readonly statement: StatementSync;
  readonly columns: readonly string[];
}

/** The driver's own objects are dictionaries: ten times as large, and slow to read from. */
function rowOf(columns: readonly string[], values: readonly Value[]): Record<string, Value> {
  const row: Record<string, Value> = {};
  for (let i = 0; i < columns.length; i++) row[columns[i] as string] = values[i] as Value;
  return row;
}

function existing(path: string, mode: 'read' | 'write'): URL {
  const url = pathToFileURL(path);
  url.searchParams.set('mode', mode === 'read' ? 'ro' : 'rw');
  return url;
}

/** Carries the log over into the file, unless somebody else has it open. */
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

/** SQLite's primary result codes that mean "not now" rather than "never". */
const BUSY = 5;
const passing = new Set([
  BUSY,
  6 /* locked */,
  8 /* read-only */,
  10 /* i/o */,
  13 /* full */,
  14 /* cannot open */,
]);
const damaged = new Set([11 /* corrupt */, 26 /* not a database */]);

export function translate<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw translated(path, error);
  }
}

function translated(path: string, error: unknown): unknown {
  const code = Number((error as { errcode?: number }).errcode) & 0xff;
  const { message } = error as Error;
  const reason = code !== BUSY && passing.has(code) && isFull(path) ? 'its disk is full' : message;
  if (passing.has(code))
    return new Unavailable(`the database ${path} cannot be used now: ${reason}`, { cause: error });
  if (damaged.has(code))
    return new UnusableDatabase(`the database ${path} is damaged: ${message}`, { cause: error });
  return error;
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
