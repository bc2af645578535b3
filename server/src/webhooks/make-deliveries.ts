import { sql } from 'kysely';
import { query } from '../database/query.ts';
import { insertRow, lockRows, updateRows } from '../database/rows.ts';
import type { Schema } from '../database/schema.ts';
import type { Transaction } from '../writer/transaction.ts';
import { verb } from '../writer/verb.ts';
import type { Delivery } from './delivery.ts';
import { lockWebhook, type WebhookOfStore } from './manage-webhooks.ts';

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

type MakeDeliveries = { webhookId: string; from: bigint; upTo: bigint; messages: Message[]; at: bigint };

/** Makes a delivery of each event, once: whoever comes second finds that it was done. */
export const makeDeliveries = verb('makeDeliveries', async (tx, made: MakeDeliveries): Promise<void> => {
  const { webhookId: id, from, upTo, messages, at } = made;
  const behind = { id, revision: from, active: 1n };
  const [webhook] = await lockRows(tx, 'webhooks', behind, ['next_delivery_id']);
  if (webhook) await addDeliveries(tx, { ...webhook, id, revision: upTo }, messages, at);
});

type MakeTestDelivery = WebhookOfStore & { body: string; at: bigint };

export const makeTestDelivery = verb('makeTestDelivery', async (tx, test: MakeTestDelivery) => {
  const webhook = await lockWebhook(tx, test);
  const message = { body: test.body, traceparent: tx.traceparent };
  const [made] = await addDeliveries(tx, webhook, [message], test.at);
  return made as Delivery;
});

type Position = Pick<Schema['webhooks'], 'id' | 'revision' | 'next_delivery_id'>;

/** The webhook's row is locked. It is brought to its revision, and loses its oldest deliveries. */
async function addDeliveries(
  tx: Transaction,
  { id: webhook_id, revision, next_delivery_id: first }: Position,
  messages: Message[],
  at: bigint,
): Promise<Delivery[]> {
  const next_delivery_id = first + BigInt(messages.length);
  await updateRows(tx, 'webhooks', { id: webhook_id }, { revision, next_delivery_id });
  const state = { status: 'pending' as const, tries: 0n, attempts: '[]', next_at: at, created_at: at };
  const made = messages.map((message, i) => ({ webhook_id, id: first + BigInt(i), ...message, ...state }));
  for (const delivery of made) await insertRow(tx, 'deliveries', delivery);
  await tx.all(forgetOldest, { webhookId: webhook_id, upTo: next_delivery_id - 1n - MOST_KEPT_OF_WEBHOOK });
  return made;
}

const forgetOldest = query((db, p: { webhookId: string; upTo: bigint }) =>
  db.deleteFrom('deliveries').where('webhook_id', '=', p.webhookId).where('id', '<=', p.upTo),
);
