import { query } from '../database/query.ts';
import { deleteRows, findRows, insertRow, lockRows, updateRows } from '../database/rows.ts';
import type { Schema } from '../database/schema.ts';
import { DomainError } from '../domain/domain-error.ts';
import { type EventType, eventTypes } from '../domain/vocabulary.ts';
import { type Transaction, verb } from '../writer/verb.ts';

export const webhookColumns = ['id', 'url', 'types', 'active', 'created_at'] as const;
export type Webhook = Pick<Schema['webhooks'], (typeof webhookColumns)[number]>;

export function typesOf({ types }: Pick<Webhook, 'types'>): readonly EventType[] {
  return types === '' ? eventTypes : (types.split(',') as EventType[]);
}

export type WebhookOfStore = { readonly storeId: bigint; readonly webhookId: string };

export async function lockWebhook(tx: Transaction, { storeId, webhookId }: WebhookOfStore) {
  const { revision: storeRevision } = await tx.lockStore(storeId);
  const where = { store_id: storeId, id: webhookId };
  const columns = [...webhookColumns, 'secret', 'revision', 'next_delivery_id'] as const;
  const [webhook] = await lockRows(tx, 'webhooks', where, columns);
  if (!webhook) throw new DomainError('not_found');
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

const SECRET_OVERLAP_MS = 86_400_000n;

type NewSecret = WebhookOfStore & { secret: string; at: bigint };
type CreateWebhook = NewSecret & Pick<Schema['webhooks'], 'url' | 'types'> & { maxWebhooks: bigint };

export const createWebhook = verb('createWebhook', async (tx, input: CreateWebhook): Promise<Webhook> => {
  const { storeId: store_id, webhookId: id, url, types, secret, at, maxWebhooks } = input;
  const { revision } = await tx.lockStore(store_id);
  const existing = await findRows(tx, 'webhooks', { store_id }, ['id']);
  if (existing.length >= maxWebhooks) throw new DomainError('webhook_limit_reached');
  const webhook = { id, url, types, active: 1n, created_at: at };
  await insertRow(tx, 'webhooks', { ...webhook, store_id, secret, revision, next_delivery_id: 1n });
  return webhook;
});

type ChangeWebhook = WebhookOfStore & { [K in 'url' | 'types' | 'active']: Webhook[K] | undefined };

export const changeWebhook = verb('changeWebhook', async (tx, change: ChangeWebhook): Promise<Webhook> => {
  const webhook = await lockWebhook(tx, change);
  const { url = webhook.url, types = webhook.types, active = webhook.active } = change;
  // Events from before the reactivation are not sent.
  const revision = active > webhook.active ? webhook.storeRevision : webhook.revision;
  await updateRows(tx, 'webhooks', { id: webhook.id }, { url, types, active, revision, next_due: 0n });
  return { ...webhook, url, types, active };
});

export const rollWebhookSecret = verb(
  'rollWebhookSecret',
  async (tx, { secret, at, ...ids }: NewSecret): Promise<Webhook> => {
    const webhook = await lockWebhook(tx, ids);
    const old = { old_secret: webhook.secret, old_secret_until: at + SECRET_OVERLAP_MS };
    await updateRows(tx, 'webhooks', { id: webhook.id }, { ...old, secret });
    return webhook;
  },
);

export const deleteWebhook = verb('deleteWebhook', async (tx, ids: WebhookOfStore): Promise<void> => {
  const { id } = await lockWebhook(tx, ids);
  await deleteRows(tx, 'webhooks', { id });
});
