import { type Query, query } from '../database/query.ts';
import { Refusal } from '../refusal.ts';
import type { Transaction } from '../transaction/transaction.ts';
import { type Delivery, deliveryColumns } from './delivery.ts';

/** Active webhooks that have not been sent everything their stores have come to, and how far those have. */
export const webhooksBehind = query((db, p: { limit: bigint }) =>
  db
    .selectFrom('webhooks')
    .innerJoin('stores', 'stores.id', 'webhooks.store_id')
    .select([
      'webhooks.id as webhookId',
      'webhooks.store_id as storeId',
      'webhooks.types',
      'webhooks.revision as from',
      'stores.revision as reached',
    ])
    .where('webhooks.active', '=', 1n)
    .whereRef('stores.revision', '>', 'webhooks.revision')
    .limit(p.limit),
);

/** The stores that have an active webhook. */
export const storesWithWebhooks = query((db, _: Record<never, never>) =>
  db.selectFrom('webhooks').select('store_id as storeId').where('active', '=', 1n).distinct(),
);

export interface MakeDeliveries {
  readonly webhookId: string;
  /** How far deliveries were made before, and how far they are now. */
  readonly from: bigint;
  readonly upTo: bigint;
  readonly bodies: readonly string[];
  readonly at: bigint;
}

/** Makes a delivery of each event, once: whoever comes second finds that it was done. */
export async function makeDeliveries(
  tx: Transaction,
  { webhookId, from, upTo, bodies, at }: MakeDeliveries,
): Promise<void> {
  const count = BigInt(bodies.length);
  const [webhook] = await tx.all(advance, { webhookId, from, upTo, count });
  if (!webhook) return;
  for (const [i, body] of bodies.entries()) {
    const id = webhook.next - count + BigInt(i);
    await tx.all(insertDelivery, { webhookId, id, body, at });
  }
}

const advance = query((db, p: { webhookId: string; from: bigint; upTo: bigint; count: bigint }) =>
  db
    .updateTable('webhooks')
    .set((eb) => ({ revision: p.upTo, next_delivery_id: eb('next_delivery_id', '+', p.count) }))
    .where('id', '=', p.webhookId)
    .where('revision', '=', p.from)
    .where('active', '=', 1n)
    .returning('next_delivery_id as next'),
);

/** Makes a delivery of something that did not happen, to see how it arrives. */
export async function makeTestDelivery(
  tx: Transaction,
  { storeId, webhookId, body, at }: { storeId: bigint; webhookId: string; body: string; at: bigint },
): Promise<Delivery> {
  tx.store(storeId);
  const [webhook] = await tx.all(nextDeliveryId, { storeId, webhookId });
  if (!webhook) throw new Refusal('not_found');
  const [made] = await tx.all(insertDelivery, { webhookId, id: webhook.next - 1n, body, at });
  return made as Delivery;
}

const nextDeliveryId = query((db, p: { storeId: bigint; webhookId: string }) =>
  db
    .updateTable('webhooks')
    .set((eb) => ({ next_delivery_id: eb('next_delivery_id', '+', 1n) }))
    .where('store_id', '=', p.storeId)
    .where('id', '=', p.webhookId)
    .returning('next_delivery_id as next'),
);

const insertDelivery: Query<{ webhookId: string; id: bigint; body: string; at: bigint }, Delivery> = query(
  (db, p: { webhookId: string; id: bigint; body: string; at: bigint }) =>
    db
      .insertInto('deliveries')
      .values({
        webhook_id: p.webhookId,
        id: p.id,
        body: p.body,
        status: 'pending',
        tries: 0n,
        attempts: '[]',
        next_at: p.at,
        created_at: p.at,
      })
      .returning(deliveryColumns),
);
