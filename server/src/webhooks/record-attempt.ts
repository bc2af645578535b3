import { sql } from 'kysely';
import { query } from '../database/query.ts';
import { deleteBatch, lockRows, updateRows } from '../database/rows.ts';
import type { Schema } from '../database/schema.ts';
import { verb } from '../writer/verb.ts';
import { type ClaimedDelivery, isInFirst } from './advance-webhook.ts';

const MAX_FINISHED = 1_000;
/** Deliveries whose retries one success brings forward. */
const BRING_FORWARD_BATCH = 8n;
/** Per delivery, so that a message that always fails is given up, even if others succeed. */
const MAX_TIMES_BROUGHT_FORWARD = 8n;

interface RecordAttempt {
  /** Selects the writer's queue, so that attempts of one store are recorded in one group. */
  readonly storeId: bigint;
  readonly claimed: Pick<ClaimedDelivery, 'webhook_id' | 'id' | 'claimed_until' | 'next_at'>;
  readonly outcome: Pick<Schema['deliveries'], 'status' | 'attempts' | 'tries' | 'next_at'>;
  /** The URL that responded 410. */
  readonly goneUrl: string | undefined;
  readonly at: bigint;
}

/** Returns whether the outcome was recorded: not if the delivery was claimed again or redelivered meanwhile. */
export const recordAttempt = verb('recordAttempt', async (tx, attempt: RecordAttempt): Promise<boolean> => {
  const { claimed, outcome, goneUrl, at } = attempt;
  const { webhook_id: webhookId, id, claimed_until } = claimed;
  // Lock order: webhook, then delivery.
  const [webhook] = await lockRows(tx, 'webhooks', { id: webhookId }, ['url']);
  if (!webhook) return false;
  const isDeactivated = goneUrl === webhook.url;
  if (isDeactivated) await updateRows(tx, 'webhooks', { id: webhookId }, { active: 0n });
  // The URL has changed meanwhile: the new one is tried when the claim ends.
  const isUrlChanged = goneUrl !== undefined && !isDeactivated;
  const next = isUrlChanged ? { ...outcome, status: 'pending' as const, next_at: claimed.next_at } : outcome;
  const claim = { webhook_id: webhookId, id, claimed_until };
  const recorded = await updateRows(tx, 'deliveries', claim, { ...next, claimed_until: null }, ['id']);
  const isFinished = next.next_at === null;
  if (isFinished) await tx.all(deleteOldestFinished, { webhookId });
  if (next.status === 'delivered') await tx.all(bringForward, { webhookId, at });
  await tx.all(markDueEarlier, { webhookId, isFinished: BigInt(isFinished), at });
  return recorded.length > 0;
});

const deleteOldestFinished = query((_, p: { webhookId: string }) =>
  deleteBatch('deliveries', sql`webhook_id = ${p.webhookId} AND next_at IS NULL`, {
    order: 'id',
    retained: MAX_FINISHED,
  }),
);

/** The receiver works again: its retries are due now. The failed try does not count, so that occasional failures do not exhaust the schedule. */
const bringForward = query(
  (_, p: { webhookId: string; at: bigint }, engine) => {
    const isWaiting = sql`webhook_id = ${p.webhookId} AND next_at > ${p.at} AND tries > 0
      AND brought_forward < ${sql.lit(MAX_TIMES_BROUGHT_FORWARD)} AND (claimed_until IS NULL OR claimed_until <= ${p.at})`;
    return sql<never>`UPDATE deliveries SET next_at = ${p.at}, tries = tries - 1,
        brought_forward = brought_forward + 1
      WHERE webhook_id = ${p.webhookId} AND ${isInFirst(isWaiting, BRING_FORWARD_BATCH, engine)}`;
  },
  { plannedEachTime: true },
);

/**
 * Moves `next_due` only to an earlier time, because a change may have marked the webhook as due. Sets 0, which counts as new, if
 * a delivery is due now, or if the change log has more events and a finished delivery allows another one.
 */
const markDueEarlier = query(
  (_, p: { webhookId: string; isFinished: bigint; at: bigint }) => {
    const first = sql`(
      SELECT min(next_at) FROM deliveries WHERE webhook_id = ${p.webhookId} AND next_at IS NOT NULL
    )`;
    const hasMore = sql`CAST(${p.isFinished} AS bigint) = 1
      AND revision < (SELECT stores.revision FROM stores WHERE stores.id = store_id)`;
    const next = sql`CASE WHEN ${hasMore} OR ${first} <= ${p.at} THEN 0 ELSE ${first} END`;
    return sql<never>`UPDATE webhooks SET next_due = ${next}
      WHERE id = ${p.webhookId} AND (next_due IS NULL OR next_due > ${next})`;
  },
  { plannedEachTime: true },
);
