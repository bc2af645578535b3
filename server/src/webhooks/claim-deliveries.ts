import { type Selectable, sql } from 'kysely';
import { query } from '../database/query.ts';
import { findRows, updateRows } from '../database/rows.ts';
import type { Schema } from '../database/schema.ts';
import { Refusal } from '../refusal.ts';
import { tenantId } from '../stores/find-store.ts';
import { verb } from '../writer/verb.ts';
import { deliveryColumns } from './delivery.ts';
import { lockWebhook, type WebhookOfStore } from './manage-webhooks.ts';

export type DueWebhook = { webhookId: string; tenantId: bigint };

export const webhooksDue = query(
  (_, p: { after: string; at: bigint; limit: bigint }) => sql<DueWebhook>`
    SELECT webhooks.id AS "webhookId", ${tenantId} AS "tenantId"
    FROM webhooks JOIN stores ON stores.id = store_id
    WHERE active = 1 AND webhooks.id > ${p.after} AND ${p.at} >= (
      SELECT min(next_at) FROM deliveries WHERE webhook_id = webhooks.id AND next_at IS NOT NULL
    )
    ORDER BY webhooks.id LIMIT ${p.limit}`,
  { plannedEachTime: true },
);

type ClaimDeliveries = { webhookId: string; most: bigint; at: bigint; until: bigint };

const receiverColumns = ['store_id', 'url', 'secret', 'old_secret', 'old_secret_until'] as const;

/** A replica may try what it claimed until its claim ends: then another one may. */
export const claimDeliveries = verb('claimDeliveries', async (tx, claimed: ClaimDeliveries) => {
  const active = { id: claimed.webhookId, active: 1n };
  const [webhook] = await findRows(tx, 'webhooks', active, receiverColumns);
  if (!webhook) return [];
  const deliveries = await tx.all(claim, claimed);
  return deliveries.map((delivery) => ({ ...webhook, ...delivery }));
});
export type ClaimedDelivery = Awaited<ReturnType<typeof claimDeliveries.run>>[number];

const claim = query(
  (_, p: ClaimDeliveries, engine) => {
    const due = sql`
      SELECT id FROM deliveries WHERE webhook_id = ${p.webhookId} AND next_at <= ${p.at}
      ORDER BY next_at, id LIMIT ${p.most}`;
    // PostgreSQL makes a list once. As a condition, it might make it for each row.
    const isDue =
      engine === 'postgres' ? sql`id = ANY (ARRAY(${due} FOR UPDATE SKIP LOCKED))` : sql`id IN (${due})`;
    return sql<Selectable<Schema['deliveries']>>`
      UPDATE deliveries SET next_at = ${p.until} WHERE webhook_id = ${p.webhookId} AND ${isDue} RETURNING *`;
  },
  { plannedEachTime: true },
);

/** It names its store, so that tries of one store that end together are written together. */
interface RecordAttempt {
  readonly storeId: bigint;
  readonly claimed: Pick<ClaimedDelivery, 'webhook_id' | 'id' | 'next_at'>;
  readonly tried: Pick<Schema['deliveries'], 'status' | 'attempts' | 'tries' | 'next_at'>;
  readonly turnOff: boolean;
}

/** Records a try, and when the next one is; unless, meanwhile, it was claimed again or made to start over. */
export const recordAttempt = verb('recordAttempt', async (tx, attempt: RecordAttempt): Promise<void> => {
  const { claimed, tried, turnOff } = attempt;
  if (turnOff) await updateRows(tx, 'webhooks', { id: claimed.webhook_id }, { active: 0n });
  await updateRows(tx, 'deliveries', claimed, tried);
});

type Redeliver = WebhookOfStore & { deliveryId: bigint; at: bigint };

export const redeliver = verb('redeliver', async (tx, { deliveryId, at, ...own }: Redeliver) => {
  const { id: webhook_id } = await lockWebhook(tx, own);
  const anew = { status: 'pending' as const, tries: 0n, next_at: at };
  const [made] = await updateRows(tx, 'deliveries', { webhook_id, id: deliveryId }, anew, deliveryColumns);
  if (!made) throw new Refusal('not_found');
  return made;
});

const BEYOND_ANY_WAIT_MS = 12n * 3_600_000n;

/** Makes due now whatever is due later than any wait lasts: its time was set by a clock that was ahead. */
export const hastenDeliveries = verb('hastenDeliveries', (tx, { at }: { at: bigint }) =>
  tx.all(hasten, { at, latest: at + BEYOND_ANY_WAIT_MS }),
);

const hasten = query((db, p: { at: bigint; latest: bigint }) =>
  db.updateTable('deliveries').set({ next_at: p.at }).where('next_at', '>', p.latest),
);
