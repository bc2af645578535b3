import type { EachQuery } from '../database/each-query.ts';
import { type FileMark, markOf, requireSameFile } from '../database/named-file.ts';
import { query } from '../database/query.ts';
import { SqliteConnection } from '../database/sqlite.ts';
import type { GroupConnection } from '../transaction/group-connection.ts';
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
  lockStore = async (id: bigint) => this.allNow(readCounters, { id })[0];

  #requireSameFiles(): void {
    requireSameFile(this.#path, this.#file);
    if (this.#log) requireSameFile(`${this.#path}-wal`, this.#log);
  }
}
