import { type Selectable, sql } from 'kysely';
import { query } from '../database/query.ts';
import type { Schema } from '../database/schema.ts';
import { tenantId } from '../stores/tenant.ts';
import { verb } from '../writer/verb.ts';
import { deliveryColumns } from './delivery.ts';
import { changeRowOfStore, type WebhookOfStore } from './webhook.ts';

export type DueWebhook = { webhookId: string; tenantId: bigint };

export const webhooksDue = query(
  (db, p: { after: string; at: bigint; limit: bigint }) =>
    db
      .selectFrom('webhooks')
      .innerJoin('stores', 'stores.id', 'webhooks.store_id')
      .select(['webhooks.id as webhookId', tenantId.as('tenantId')])
      .where('webhooks.active', '=', 1n)
      .where('webhooks.id', '>', p.after)
      .where((eb) => {
        const next = eb
          .selectFrom('deliveries')
          .select((delivery) => delivery.fn.min('next_at').as('at'))
          .whereRef('webhook_id', '=', 'webhooks.id')
          .where('next_at', 'is not', null);
        return eb(next, '<=', p.at);
      })
      .orderBy('webhooks.id')
      .limit(p.limit),
  { plannedEachTime: true },
);

type ClaimDeliveries = { webhookId: string; most: bigint; at: bigint; until: bigint };

const claimedColumns = ['id', 'body', 'traceparent', 'attempts', 'tries'] as const;
type DueDelivery = Pick<Selectable<Schema['deliveries']>, (typeof claimedColumns)[number]>;

/** A replica may try what it claimed until its claim ends: then another one may. */
export const claimDeliveries = verb('claimDeliveries', async (tx, claimed: ClaimDeliveries) => {
  const [webhook] = await tx.all(activeWebhook, { webhookId: claimed.webhookId });
  if (!webhook) return [];
  const deliveries = await tx.all(claim, claimed);
  return deliveries.map((delivery) => ({ ...webhook, ...delivery, claimedUntil: claimed.until }));
});
export type ClaimedDelivery = Awaited<ReturnType<typeof claimDeliveries.run>>[number];

const activeWebhook = query((db, p: { webhookId: string }) =>
  db
    .selectFrom('webhooks')
    .select(['id as webhookId', 'store_id as storeId', 'url', 'secret', 'old_secret', 'old_secret_until'])
    .where('id', '=', p.webhookId)
    .where('active', '=', 1n),
);

const claim = query(
  (_, p: ClaimDeliveries, engine) => {
    const due = sql`
      SELECT id FROM deliveries WHERE webhook_id = ${p.webhookId} AND next_at <= ${p.at}
      ORDER BY next_at, id LIMIT ${p.most}`;
    // PostgreSQL makes a list once. As a condition, it might make it for each row.
    const isDue =
      engine === 'postgres' ? sql`id = ANY (ARRAY(${due} FOR UPDATE SKIP LOCKED))` : sql`id IN (${due})`;
    return sql<DueDelivery>`
      UPDATE deliveries SET next_at = ${p.until} WHERE webhook_id = ${p.webhookId} AND ${isDue}
      RETURNING ${sql.join(claimedColumns.map((column) => sql.ref(column)))}`;
  },
  { plannedEachTime: true },
);

/** It names its store, so that tries of one store that end together are written together. */
interface RecordAttempt extends Attempted {
  readonly storeId: bigint;
  readonly turnOff: boolean;
}

interface Attempted extends Pick<Schema['deliveries'], 'status' | 'attempts'> {
  readonly webhookId: string;
  readonly deliveryId: bigint;
  readonly claimedUntil: bigint;
  readonly nextAt: bigint | null;
}

/** Records a try, and when the next one is; unless, meanwhile, it was claimed again or made to start over. */
export const recordAttempt = verb('recordAttempt', async (tx, attempt: RecordAttempt): Promise<void> => {
  await tx.all(writeAttempt, attempt);
  if (attempt.turnOff) await tx.all(turnWebhookOff, attempt);
});

const writeAttempt = query((db, p: Attempted) =>
  db
    .updateTable('deliveries')
    .set((eb) => ({
      status: p.status,
      attempts: p.attempts,
      tries: eb('tries', '+', 1n),
      next_at: p.nextAt,
    }))
    .where('webhook_id', '=', p.webhookId)
    .where('id', '=', p.deliveryId)
    .where('next_at', '=', p.claimedUntil),
);

const turnWebhookOff = query((db, p: { webhookId: string }) =>
  db.updateTable('webhooks').set({ active: 0n }).where('id', '=', p.webhookId),
);

type Redeliver = WebhookOfStore & { deliveryId: bigint; at: bigint };

export const redeliver = verb('redeliver', (tx, delivery: Redeliver) =>
  changeRowOfStore(tx, tryAgain, delivery),
);

const tryAgain = query((db, p: Redeliver) =>
  db
    .updateTable('deliveries')
    .set({ status: 'pending', tries: 0n, next_at: p.at })
    .where('webhook_id', '=', p.webhookId)
    .where('id', '=', p.deliveryId)
    .where('webhook_id', 'in', (eb) =>
      eb.selectFrom('webhooks').select('webhooks.id').where('store_id', '=', p.storeId),
    )
    .returning(deliveryColumns),
);

const BEYOND_ANY_WAIT_MS = 12n * 3_600_000n;

/** Makes due now whatever is due later than any wait lasts: its time was set by a clock that was ahead. */
export const hastenDeliveries = verb('hastenDeliveries', (tx, { at }: { at: bigint }) =>
  tx.all(hasten, { at, latest: at + BEYOND_ANY_WAIT_MS }),
);

const hasten = query((db, p: { at: bigint; latest: bigint }) =>
  db.updateTable('deliveries').set({ next_at: p.at }).where('next_at', '>', p.latest),
);
