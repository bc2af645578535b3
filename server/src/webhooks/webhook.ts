import type { Kysely } from 'kysely';
import { type Query, query } from '../database/query.ts';
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

/** The row is a webhook of the store, or one of its deliveries. */
export async function changeRowOfStore<P extends WebhookOfStore, R>(
  tx: Transaction,
  statement: Query<P & { revision: bigint }, R>,
  params: P,
): Promise<R> {
  const { revision } = await tx.lockStore(params.storeId);
  const [changed] = await tx.all(statement, { ...params, revision });
  if (!changed) throw new Refusal('not_found');
  return changed;
}

const ofStore = (db: Kysely<Schema>, storeId: bigint) =>
  db.selectFrom('webhooks').select(webhookColumns).where('store_id', '=', storeId);

export const listWebhooks = query((db, p: { storeId: bigint }) =>
  ofStore(db, p.storeId).orderBy('created_at').orderBy('id'),
);

export const findWebhook = query((db, p: WebhookOfStore) =>
  ofStore(db, p.storeId).where('id', '=', p.webhookId),
);
