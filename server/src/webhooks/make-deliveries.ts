import { sql } from 'kysely';
import { query, valuesOf } from '../database/query.ts';
import { verb } from '../writer/verb.ts';
import { type Delivery, deliveryColumns } from './delivery.ts';
import { changeRowOfStore, type WebhookOfStore } from './webhook.ts';

const MOST_KEPT_OF_WEBHOOK = 1_000n;
export const EVENTS_AT_ONCE = 100n;

export type WebhookBehind = WebhookOfStore & { types: string; from: bigint; reached: bigint };

/** Active webhooks behind their stores, but for those where new deliveries would push out one that was never tried. */
export const webhooksBehind = query(
  (_, p: { limit: bigint }) => sql<WebhookBehind>`
    SELECT webhooks.id AS "webhookId", store_id AS "storeId", types, webhooks.revision AS "from",
      stores.revision AS reached
    FROM webhooks JOIN stores ON stores.id = store_id
    WHERE active = 1 AND stores.revision > webhooks.revision AND NOT EXISTS (
      SELECT 1 FROM deliveries
      WHERE webhook_id = webhooks.id AND deliveries.id = next_delivery_id - ${MOST_KEPT_OF_WEBHOOK - EVENTS_AT_ONCE}
        AND tries = 0 AND next_at IS NOT NULL
    )
    LIMIT ${p.limit}`,
);

export const storesWithWebhooks = query((db, _: Record<never, never>) =>
  db.selectFrom('webhooks').select('store_id as storeId').where('active', '=', 1n).distinct(),
);

export type Message = { readonly body: string; readonly traceparent: string | null };
type Advance = { webhookId: string; from: bigint; upTo: bigint };

type MakeDeliveries = Advance & { messages: readonly Message[]; at: bigint };

/** Makes a delivery of each event, once: whoever comes second finds that it was done. */
export const makeDeliveries = verb('makeDeliveries', async (tx, made: MakeDeliveries): Promise<void> => {
  const { webhookId, messages, at } = made;
  const count = BigInt(messages.length);
  const [webhook] = await tx.all(advance, { ...made, count });
  if (!webhook) return;
  for (const [i, message] of messages.entries()) {
    const id = webhook.next - count + BigInt(i);
    await tx.all(insertDelivery, { webhookId, id, ...message, at });
  }
  await tx.all(forgetOldest, { webhookId, upTo: webhook.next - 1n - MOST_KEPT_OF_WEBHOOK });
});

const advance = query((db, p: Advance & { count: bigint }) =>
  db
    .updateTable('webhooks')
    .set((eb) => ({ revision: p.upTo, next_delivery_id: eb('next_delivery_id', '+', p.count) }))
    .where('id', '=', p.webhookId)
    .where('revision', '=', p.from)
    .where('active', '=', 1n)
    .returning('next_delivery_id as next'),
);

type MakeTestDelivery = WebhookOfStore & { body: string; at: bigint };

export const makeTestDelivery = verb('makeTestDelivery', async (tx, test: MakeTestDelivery) => {
  const { webhookId } = test;
  const { next } = await changeRowOfStore(tx, nextDeliveryId, test);
  const [made] = await tx.all(insertDelivery, { ...test, id: next - 1n, traceparent: tx.traceparent });
  await tx.all(forgetOldest, { webhookId, upTo: next - 1n - MOST_KEPT_OF_WEBHOOK });
  return made as Delivery;
});

const nextDeliveryId = query((db, p: WebhookOfStore) =>
  db
    .updateTable('webhooks')
    .set((eb) => ({ next_delivery_id: eb('next_delivery_id', '+', 1n) }))
    .where('store_id', '=', p.storeId)
    .where('id', '=', p.webhookId)
    .returning('next_delivery_id as next'),
);

const forgetOldest = query((db, p: { webhookId: string; upTo: bigint }) =>
  db.deleteFrom('deliveries').where('webhook_id', '=', p.webhookId).where('id', '<=', p.upTo),
);

const insertDelivery = query((db, p: Message & { webhookId: string; id: bigint; at: bigint }) =>
  db
    .insertInto('deliveries')
    .values({
      webhook_id: p.webhookId,
      ...valuesOf(p, ['id', 'body', 'traceparent']),
      status: 'pending',
      tries: 0n,
      attempts: '[]',
      next_at: p.at,
      created_at: p.at,
    })
    .returning(deliveryColumns),
);
