import { query } from '../database/query.ts';
import type { EventType } from '../vocabulary.ts';
import type { Transaction } from '../writer/transaction.ts';

interface Reset {
  readonly storeId: bigint;
  readonly revision: bigint;
  readonly at: bigint;
}

/** Begins the log of a store that continues another one's revisions, under the same keys. */
export async function recordReset(tx: Transaction, reset: Reset): Promise<void> {
  await tx.all(insertReset, { ...reset, traceparent: tx.traceparent });
}

const insertReset = query((db, p: Reset & { traceparent: string | null }) =>
  db.insertInto('changes').values({
    store_id: p.storeId,
    revision: p.revision,
    at: p.at,
    type: 'store.reset' satisfies EventType,
    traceparent: p.traceparent,
  }),
);
