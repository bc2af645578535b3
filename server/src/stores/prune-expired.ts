import type { Connection } from '../database/engine.ts';
import { query } from '../database/query.ts';
import { defaultQuotas } from '../quotas.ts';
import { Refusal } from '../refusal.ts';
import type { Job } from '../writer/background.ts';
import type { Writer } from '../writer/writer.ts';
import { anyEventBefore, EVENTS_KEPT_MS, forgetOldEvents } from './account-events.ts';
import { PRUNED_AT_ONCE, prune, pruneAnswers, pruneOldestAnswers } from './prune.ts';

const REST_MS = 60_000;

/**
 * Forgets what has expired or is old, and answers beyond their quota, in small steps. What two replicas forget at once
 * is forgotten by one of them.
 */
export function pruneExpired(
  db: Connection,
  writer: Writer,
  now: () => number,
  mostAnswers: bigint = defaultQuotas.idempotencyKeys,
): Job {
  const untilDone = async (signal: AbortSignal, step: (at: bigint) => Promise<number>) => {
    while (!signal.aborted && (await step(BigInt(now()))) >= PRUNED_AT_ONCE);
  };
  // Where there is nothing to forget, nothing is written either.
  const pruneRows = async (signal: AbortSignal) => {
    if (await hasExpiredRows(db, BigInt(now()))) await untilDone(signal, (at) => writer.apply(prune, { at }));
  };
  const pruneAccountEvents = async () => {
    const before = BigInt(now()) - EVENTS_KEPT_MS;
    if ((await db.all(anyEventBefore, { before })).length > 0)
      await writer.apply(forgetOldEvents, { before });
  };
  const pruneStore = async (signal: AbortSignal, storeId: bigint) => {
    if ((await db.all(anyExpired, { storeId, at: BigInt(now()) })).length > 0)
      await untilDone(signal, (at) => writer.apply(pruneAnswers, { storeId, at }));
    const [answers] = await db.all(countAnswers, { storeId });
    let left = Number((answers?.count ?? 0n) - mostAnswers);
    if (left <= 0) return;
    await untilDone(signal, async () => {
      const limit = Math.min(left, Number(PRUNED_AT_ONCE));
      left -= limit;
      return limit > 0 ? writer.apply(pruneOldestAnswers, { storeId, limit: BigInt(limit) }) : 0;
    });
  };
  return {
    name: 'pruning',
    rest: REST_MS,
    async run(signal, piece) {
      await piece(() => pruneRows(signal));
      await piece(pruneAccountEvents);
      for await (const storeId of storesWithAnswers(db)) {
        if (signal.aborted) return;
        await piece(() =>
          pruneStore(signal, storeId).catch((error) => {
            // A store that was closed meanwhile is erased with all it has.
            if (!(error instanceof Refusal)) throw error;
          }),
        );
      }
    },
  };
}

async function hasExpiredRows(db: Connection, at: bigint): Promise<boolean> {
  for (const kind of [anyAttempt, anySession, anySessionKey])
    if ((await db.all<{ at: bigint }, unknown>(kind, { at })).length > 0) return true;
  return false;
}

const anyAttempt = query((db, p: { at: bigint }) =>
  db.selectFrom('attempts').select('bucket').where('ends_at', '<=', p.at).limit(1),
);

const anySession = query((db, p: { at: bigint }) =>
  db.selectFrom('sessions').select('id').where('expires_at', '<=', p.at).limit(1),
);

const anySessionKey = query((db, p: { at: bigint }) =>
  db
    .selectFrom('keys')
    .select('id')
    .where('session_id', 'is not', null)
    .where('expires_at', '<=', p.at)
    .limit(1),
);

/** From one store that has answers to the next: each is found by itself, however many rows there are. */
async function* storesWithAnswers(db: Connection): AsyncGenerator<bigint> {
  for (let after = -(2n ** 63n); ; ) {
    const [next] = await db.all(nextStore, { after });
    if (!next) return;
    after = next.store_id;
    yield after;
  }
}

const nextStore = query((db, p: { after: bigint }) =>
  db
    .selectFrom('idempotency')
    .select('store_id')
    .where('store_id', '>', p.after)
    .orderBy('store_id')
    .limit(1),
);

const anyExpired = query((db, p: { storeId: bigint; at: bigint }) =>
  db
    .selectFrom('idempotency')
    .select('key')
    .where('store_id', '=', p.storeId)
    .where('expires_at', '<=', p.at)
    .limit(1),
);

const countAnswers = query((db, p: { storeId: bigint }) =>
  db
    .selectFrom('idempotency')
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .where('store_id', '=', p.storeId),
);
