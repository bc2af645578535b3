import { query } from '../database/query.ts';
import { lockRows } from '../database/rows.ts';
import type { Schema } from '../database/schema.ts';
import { Refusal } from '../refusal.ts';
import { type EventType, eventTypes } from '../vocabulary.ts';
import type { Transaction } from '../writer/transaction.ts';

export const webhookColumns = ['id', 'url', 'types', 'active', 'created_at'] as const;
export type Webhook = Pick<Schema['webhooks'], (typeof webhookColumns)[number]>;

export function typesOf({ types }: Pick<Webhook, 'types'>): readonly EventType[] {
  return types === '' ? eventTypes : (types.split(',') as EventType[]);
}

export type WebhookOfStore = { readonly storeId: bigint; readonly webhookId: string };

const changedColumns = ['secret', 'revision', 'next_delivery_id'] as const;

export async function lockWebhook(tx: Transaction, { storeId, webhookId }: WebhookOfStore) {
  const { revision: storeRevision } = await tx.lockStore(storeId);
  const own = { store_id: storeId, id: webhookId };
  const [webhook] = await lockRows(tx, 'webhooks', own, [...webhookColumns, ...changedColumns]);
  if (!webhook) throw new Refusal('not_found');
  return { ...webhook, storeRevision };
}

export const listWebhooks = query((db, p: { storeId: bigint }) =>
  db
    .selectFrom('webhooks')
    .select(webhookColumns)
    .where('store_id', '=', p.storeId)
    .orderBy('created_at')
    .orderBy('id'),
);
