import type { EachQuery } from '../database/each-query.ts';
import { Unavailable } from '../database/engine.ts';
import { type FileMark, markOf, requireSameFile } from '../database/named-file.ts';
import { type Query, query } from '../database/query.ts';
import { SqliteConnection } from '../database/sqlite.ts';
import type { GroupConnection, Writes } from '../transaction/group-connection.ts';
import { openStoreCounters } from '../transaction/locked-store.ts';

const readCounters = query(openStoreCounters);

/**
 * Looks before each group whether the path still names the open file, so that nothing is written elsewhere, and again
 * before a group counts as done: what is acknowledged is in the files that the path names.
 */
export class SqliteGroupConnection extends SqliteConnection implements GroupConnection {
  readonly #path: string;
  readonly #file: FileMark;
  /** The log beside the file; it is there once something was asked. */
  #log: FileMark | undefined;

  constructor(path: string, file: FileMark) {
    super(path, 'write', file);
    this.#path = path;
    this.#file = file;
  }

  // IMMEDIATE takes the write lock at once: no later statement can find the data changed under it.
  begin = async () => {
    this.#requireSameFiles();
    this.exec('BEGIN IMMEDIATE');
    this.#log ??= markOf(`${this.#path}-wal`);
  };
  commit = async () => {
    this.exec('COMMIT');
    this.#requireSameFiles();
  };
  rollback = async () => this.exec('ROLLBACK');
  each = async <P, R>({ one }: EachQuery<P, R>, rows: readonly P[]) =>
    rows.map((row) => this.allNow(one, row)[0]);
  write = async (writes: Writes) => {
    for (const [{ one }, rows] of writes) for (const row of rows) this.allNow(one, row as never);
  };
  lockStore = async (id: bigint) => this.allNow(readCounters, { id })[0];

  /** After some failures SQLite undoes the transaction by itself: a statement that came then would stand for itself. */
  override allNow<P, R>(query: Query<P, R>, params: P): R[] {
    if (!this.isInTransaction) throw new Unavailable('the transaction has ended');
    return super.allNow(query, params);
  }

  /**
   * A group that fails is undone as a whole. So SQLite need not keep copies of the pages that a statement changes, to
   * undo the statement alone: for a change of one row, that took longer than to change it.
   */
  protected override written(sql: string): string {
    return sql.replace(/^\s*(insert|update)\b/i, '$1 OR FAIL');
  }

  #requireSameFiles(): void {
    requireSameFile(this.#path, this.#file);
    if (this.#log) requireSameFile(`${this.#path}-wal`, this.#log);
  }
}
