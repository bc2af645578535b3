import type { Connection } from '../database/engine.ts';
import { query } from '../database/query.ts';
import type { EventType } from '../vocabulary.ts';

interface Reset {
  readonly storeId: bigint;
  readonly revision: bigint;
  readonly at: bigint;
}

/** Begins the log of a store that continues another one's revisions, under the same keys. */
export async function recordReset(connection: Connection, reset: Reset): Promise<void> {
  await connection.all(insertReset, { ...reset });
}

const insertReset = query((db, p: Reset) =>
  db
    .insertInto('changes')
    .values({ store_id: p.storeId, revision: p.revision, at: p.at, type: 'store.reset' satisfies EventType }),
);
