import type { EachQuery } from '../database/each-query.ts';
import { query } from '../database/query.ts';
import { SqliteConnection } from '../database/sqlite.ts';
import type { GroupConnection } from '../transaction/group-connection.ts';
import { openStoreCounters } from '../transaction/locked-store.ts';

const readCounters = query(openStoreCounters);

export class SqliteGroupConnection extends SqliteConnection implements GroupConnection {
  constructor(path: string) {
    super(path, 'write');
  }

  // IMMEDIATE takes the write lock at once: no later statement can find the data changed under it.
  begin = async () => this.exec('BEGIN IMMEDIATE');
  commit = async () => this.exec('COMMIT');
  rollback = async () => this.exec('ROLLBACK');
  each = async <P, R>({ one }: EachQuery<P, R>, rows: readonly P[]) =>
    rows.map((row) => this.allNow(one, row)[0]);
  lockStore = async (id: bigint) => this.allNow(readCounters, { id })[0];
}
