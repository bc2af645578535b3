import type { TestDatabase } from '../../support/engines.ts';
import { eventually } from './eventually.ts';
import { connect } from './own-postgres.ts';

/** The outcome of a change that waits for another one, which another client then commits. */
export async function during<T>(database: TestDatabase, change: string, waiting: () => Promise<T>) {
  const client = await connect(String(database.location.database));
  try {
    await client.query(`BEGIN; ${change}`);
    const outcome = Promise.allSettled([waiting()]);
    await waitingForLocks(database, 1);
    await client.query('COMMIT');
    return (await outcome)[0];
  } finally {
    await client.end();
  }
}

/** Until the given number of statements wait for a lock. */
export async function waitingForLocks(database: TestDatabase, count: number): Promise<void> {
  await eventually(
    () =>
      database.rows(
        `SELECT 1 AS one FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      ),
    (rows) => rows.length >= count,
  );
}
