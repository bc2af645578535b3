import { sql } from 'kysely';
import { query } from '../database/query.ts';
import { updateRows } from '../database/rows.ts';
import { verb } from '../writer/verb.ts';
import { RETRY_WAITS_MS } from './delivery.ts';

/** Longer than a claim, and than small clock adjustments. */
export const CLOCK_TOLERANCE_MS = 60_000;

const RESET_BATCH = 100;
type Range = { readonly at: bigint; readonly after: string; readonly upTo: string };

/**
 * Makes deliveries due now that are due later than their schedule allows: the clock was ahead when they were scheduled.
 * Handles one page of webhooks, so that other changes do not wait long. Returns where the next page begins, if there is one.
 */
export const resetFutureDueTimes = verb(
  'resetFutureDueTimes',
  async (tx, { at, after }: Omit<Range, 'upTo'>): Promise<string | undefined> => {
    const page = await tx.all(lockWebhooksAfter, { after });
    const upTo = page.at(-1)?.id;
    if (upTo === undefined) return undefined;
    await tx.all(resetDeliveries, { at, after, upTo });
    await tx.all(resetWebhooks, { at, after, upTo });
    return page.length === RESET_BATCH ? upTo : undefined;
  },
);

const lockWebhooksAfter = query((_, p: { after: string }, engine) => {
  const lock = engine === 'postgres' ? sql`FOR NO KEY UPDATE` : sql``;
  return sql<{ id: string }>`
    SELECT id FROM webhooks WHERE id > ${p.after} ORDER BY id LIMIT ${sql.lit(RESET_BATCH)} ${lock}`;
});

const waits = RETRY_WAITS_MS.map((ms, i) => sql`WHEN ${sql.lit(i + 1)} THEN ${sql.lit(ms)}`);

/** A due time beyond twice the scheduled wait (jitter adds less) is wrong. A claim counts its try and schedules the next wait. */
const resetDeliveries = query(
  (_, p: Range) => sql<never>`
    UPDATE deliveries SET next_at = ${p.at}, claimed_until = NULL
    WHERE webhook_id > ${p.after} AND webhook_id <= ${p.upTo}
      AND next_at > CAST(${p.at} AS bigint) + ${sql.lit(CLOCK_TOLERANCE_MS)}
      + 2 * (CASE tries ${sql.join(waits, sql` `)} ELSE 0 END)`,
);

const resetWebhooks = query(
  (_, p: Range) => sql<never>`
    UPDATE webhooks SET next_due = 0
    WHERE id > ${p.after} AND id <= ${p.upTo} AND active = 1 AND next_due > CAST(${p.at} AS bigint)
      AND EXISTS (SELECT 1 FROM deliveries WHERE webhook_id = webhooks.id AND next_at < next_due)`,
);

const DELIVERY_LIFETIME_MS = 7n * 86_400_000n;
export const EXPIRY_BATCH = 500;

/** Deletes a batch of expired deliveries. `isUnfinished` is 1 for those that were still to be attempted. */
export const expireDeliveries = verb('expireDeliveries', (tx, { at }: { at: bigint }) =>
  tx.all(deleteExpired, { before: at - DELIVERY_LIFETIME_MS }),
);

const deleteExpired = query(
  (_, p: { before: bigint }) => sql<{ webhookId: string; isUnfinished: bigint }>`
    DELETE FROM deliveries WHERE (webhook_id, id) IN (
      SELECT webhook_id, id FROM deliveries WHERE created_at <= ${p.before}
      ORDER BY created_at LIMIT ${sql.lit(EXPIRY_BATCH)}
    ) RETURNING webhook_id AS "webhookId",
      CAST(CASE WHEN next_at IS NULL THEN 0 ELSE 1 END AS bigint) AS "isUnfinished"`,
);

const SEARCH_BATCH = 500;

/** A page of all webhooks. `isUnmarked`: has work but is not marked as due, as service processes of an older release leave it. */
export const nextWebhooks = query(
  (_, p: { after: string; at: bigint }) => sql<{ id: string; isUnmarked: bigint }>`
    SELECT webhooks.id, CAST(CASE WHEN active = 1 AND (next_due IS NULL OR next_due > ${p.at}) AND (
      stores.revision > webhooks.revision OR EXISTS (
        SELECT 1 FROM deliveries WHERE webhook_id = webhooks.id AND next_at IS NOT NULL
          AND (next_due IS NULL OR next_at < next_due)
      )) THEN 1 ELSE 0 END AS bigint) AS "isUnmarked"
    FROM webhooks JOIN stores ON stores.id = store_id
    WHERE webhooks.id > ${p.after} ORDER BY webhooks.id LIMIT ${sql.lit(SEARCH_BATCH)}`,
);

export const markDue = verb('markDue', async (tx, { webhookId }: { webhookId: string }) => {
  await updateRows(tx, 'webhooks', { id: webhookId }, { next_due: 0n });
});
