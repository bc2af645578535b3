import { query } from '../database/query.ts';
import { verb } from '../writer/verb.ts';

/** So many rows go in one transaction. */
export const PRUNED_AT_ONCE = 500n;

/** Forgets some attempts, sessions and keys of sessions whose time is over; says how many rows that were. */
export const prune = verb('prune', async (tx, { at }: { readonly at: bigint }): Promise<number> => {
  let pruned = 0;
  for (const statement of [endedAttempts, expiredSessions, expiredSessionKeys])
    pruned += (await tx.all<Step, unknown>(statement, { at, limit: PRUNED_AT_ONCE })).length;
  return pruned;
});

/** Forgets some answers of one store that are no longer kept; says how many. */
export const pruneAnswers = verb(
  'pruneAnswers',
  async (tx, { storeId, at }: { readonly storeId: bigint; readonly at: bigint }): Promise<number> => {
    await tx.lockStore(storeId);
    return (await tx.all(expiredAnswers, { storeId, at, limit: PRUNED_AT_ONCE })).length;
  },
);

/** Forgets the oldest answers of one store, because it has too many; says how many. */
export const pruneOldestAnswers = verb(
  'pruneOldestAnswers',
  async (tx, { storeId, limit }: { readonly storeId: bigint; readonly limit: bigint }): Promise<number> => {
    await tx.lockStore(storeId);
    return (await tx.all(oldestAnswers, { storeId, limit })).length;
  },
);

interface Step {
  at: bigint;
  limit: bigint;
}

const endedAttempts = query((db, p: Step) =>
  db
    .deleteFrom('attempts')
    .where('bucket', 'in', (eb) =>
      eb
        .selectFrom('attempts')
        .select('bucket')
        .where('ends_at', '<=', p.at)
        .orderBy('ends_at')
        .limit(p.limit),
    )
    .returning('bucket'),
);

const expiredSessions = query((db, p: Step) =>
  db
    .deleteFrom('sessions')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('sessions')
        .select('id')
        .where('expires_at', '<=', p.at)
        .orderBy('expires_at')
        .limit(p.limit),
    )
    .returning('id'),
);

const expiredSessionKeys = query((db, p: Step) =>
  db
    .deleteFrom('keys')
    .where('hash', 'in', (eb) =>
      eb
        .selectFrom('keys')
        .select('hash')
        .where('session_id', 'is not', null)
        .where('expires_at', '<=', p.at)
        .orderBy('expires_at')
        .limit(p.limit),
    )
    .returning('id'),
);

const expiredAnswers = query((db, p: Step & { storeId: bigint }) =>
  db
    .deleteFrom('idempotency')
    .where('store_id', '=', p.storeId)
    .where('key', 'in', (eb) =>
      eb
        .selectFrom('idempotency')
        .select('key')
        .where('store_id', '=', p.storeId)
        .where('expires_at', '<=', p.at)
        .orderBy('expires_at')
        .limit(p.limit),
    )
    .returning('key'),
);

const oldestAnswers = query((db, p: { storeId: bigint; limit: bigint }) =>
  db
    .deleteFrom('idempotency')
    .where('store_id', '=', p.storeId)
    .where('key', 'in', (eb) =>
      eb
        .selectFrom('idempotency')
        .select('key')
        .where('store_id', '=', p.storeId)
        .orderBy('number')
        .orderBy('key')
        .limit(p.limit),
    )
    .returning('key'),
);
