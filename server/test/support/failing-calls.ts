import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import pg from 'pg';
import { Unavailable } from '../../src/database/engine.ts';
import { SqliteConnection } from '../../src/database/sqlite.ts';

/** How a call fails: before it runs, after it ran, or without a response. */
export type FailureMode =
  | 'fails before it runs'
  | 'is cut off after it ran'
  | 'gets no response'
  | 'hangs before it runs'
  | 'hangs after it ran';

/** Counts calls and lets the Nth fail. */
export interface FailingCalls extends Disposable {
  readonly calls: number;
  /** Lets the call with this number fail; 0 for none. */
  arm(at: number, way?: FailureMode): void;
}

/** Decides for every call whether and how it fails. */
interface Failing {
  next(): FailureMode | undefined;
}

/** Counts the calls of this thread. */
export class ThreadCalls implements FailingCalls, Failing {
  calls = 0;
  #at = 0;
  #way: FailureMode = 'fails before it runs';
  readonly #undo: () => void;

  constructor(patch: (calls: ThreadCalls) => () => void) {
    this.#undo = patch(this);
  }

  arm(at: number, way: FailureMode = this.#way): void {
    this.calls = 0;
    this.#at = at;
    this.#way = way;
  }

  next(): FailureMode | undefined {
    return ++this.calls === this.#at ? this.#way : undefined;
  }

  [Symbol.dispose](): void {
    this.#undo();
  }
}

/** Patches every SQLite connection of this thread; returns a function that restores them. */
export function patchSqlite(calls: Failing): () => void {
  const { all, exec } = SqliteConnection.prototype;
  const failing = <A extends unknown[], R>(method: (this: SqliteConnection, ...args: A) => R) =>
    function (this: SqliteConnection, ...args: A): R {
      const way = calls.next();
      if (way === undefined) return method.apply(this, args);
      if (way === 'fails before it runs') throw new Error('the call failed');
      method.apply(this, args);
      throw new Unavailable('the call was cut off');
    };
  SqliteConnection.prototype.all = failing(all) as typeof all;
  SqliteConnection.prototype.exec = failing(exec);
  return () => Object.assign(SqliteConnection.prototype, { all, exec });
}

/** Patches every connection to PostgreSQL; returns a function that restores them. */
export function patchPostgres(calls: Failing): () => void {
  const { query } = pg.Client.prototype;
  const original = query as unknown as (this: pg.Client, ...args: unknown[]) => Promise<unknown>;
  pg.Client.prototype.query = async function (this: pg.Client, ...args: unknown[]) {
    const way = calls.next();
    if (way === undefined) return original.apply(this, args);
    const { stream } = this.connection;
    if (way === 'gets no response') stream.pause();
    if (way !== 'fails before it runs') await original.apply(this, args);
    stream.destroy();
    throw new Error('the connection was lost');
  } as unknown as typeof query;
  return () => Object.assign(pg.Client.prototype, { query });
}

/** Patches the calls that read files; returns a function that restores them. */
export function patchFiles(calls: Failing): () => void {
  const names = ['statSync', 'openSync', 'readFileSync', 'existsSync', 'statfsSync'] as const;
  const real = Object.fromEntries(names.map((name) => [name, fs[name]]));
  for (const name of names) {
    const method = fs[name] as (...args: unknown[]) => unknown;
    Object.assign(fs, {
      [name]: (...args: unknown[]) => {
        if (calls.next() === undefined) return method(...args);
        throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
      },
    });
  }
  syncBuiltinESMExports();
  return () => {
    Object.assign(fs, real);
    syncBuiltinESMExports();
  };
}
