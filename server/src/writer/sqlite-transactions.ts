import { type FileMark, markOf, requireSameFile } from '../database/database-files.ts';
import { SqliteConnection } from '../database/sqlite.ts';
import type { TransactionConnection } from './transaction.ts';

/** Checks before each transaction and after its commit that the paths still name the open files. */
export class SqliteTransactions extends SqliteConnection implements TransactionConnection {
  readonly #files: Map<string, FileMark>;

  constructor(path: string, file: FileMark) {
    super(path, 'write', file);
    this.#files = new Map([[path, file]]);
  }

  /** Takes the write lock at once: no later statement finds the data changed under it. */
  async begin(): Promise<void> {
    this.#requireSameFiles();
    this.exec('BEGIN IMMEDIATE');
    for (const beside of [`${this.path}-wal`, `${this.path}-shm`])
      if (!this.#files.has(beside)) this.#files.set(beside, markOf(beside));
  }

  async commit(): Promise<void> {
    this.exec('COMMIT');
    this.#requireSameFiles();
  }

  async rollback(): Promise<void> {
    this.exec('ROLLBACK');
  }

  #requireSameFiles(): void {
    for (const [path, mark] of this.#files) requireSameFile(path, mark);
  }
}
