import { sql } from 'kysely';
import { query, valuesOf } from '../database/query.ts';
import type { Schema } from '../database/schema.ts';
import { Refusal } from '../refusal.ts';
import { verb } from '../writer/verb.ts';
import { changeRowOfStore, type Webhook, type WebhookOfStore, webhookColumns } from './webhook.ts';

const MOST_WEBHOOKS = 10n;
const BOTH_SECRETS_SIGN_MS = 86_400_000n;

type CreateWebhook = WebhookOfStore & Pick<Schema['webhooks'], 'url' | 'types' | 'secret'> & { at: bigint };

export const createWebhook = verb('createWebhook', async (tx, webhook: CreateWebhook): Promise<Webhook> => {
  const { storeId } = webhook;
  const { revision } = await tx.lockStore(storeId);
  const [{ count } = { count: 0n }] = await tx.all(countWebhooks, { storeId });
  if (count >= MOST_WEBHOOKS) throw new Refusal('webhook_limit_reached');
  const [created] = await tx.all(insertWebhook, { ...webhook, revision });
  return created as Webhook;
});

const countWebhooks = query((db, p: { storeId: bigint }) =>
  db
    .selectFrom('webhooks')
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .where('store_id', '=', p.storeId),
);

const insertWebhook = query((db, p: CreateWebhook & { revision: bigint }) =>
  db
    .insertInto('webhooks')
    .values({
      id: p.webhookId,
      store_id: p.storeId,
      ...valuesOf(p, ['url', 'types', 'secret', 'revision']),
      active: 1n,
      created_at: p.at,
      next_delivery_id: 1n,
    })
    .returning(webhookColumns),
);

/** What stays as it is, is null. */
type ChangeWebhook = WebhookOfStore & { url: string | null; types: string | null; active: bigint | null };

/** One that is turned on again is sent what happens from then on. */
export const changeWebhook = verb('changeWebhook', (tx, change: ChangeWebhook) =>
  changeRowOfStore(tx, updateWebhook, change),
);

const updateWebhook = query(
  (_, p: ChangeWebhook & { revision: bigint }) => sql<Webhook>`
    UPDATE webhooks SET url = coalesce(${p.url}, url), types = coalesce(${p.types}, types),
      revision = CASE WHEN active = 0 AND ${p.active} = 1 THEN ${p.revision} ELSE revision END,
      active = coalesce(${p.active}, active)
    WHERE store_id = ${p.storeId} AND id = ${p.webhookId}
    RETURNING ${sql.join(webhookColumns.map((column) => sql.ref(column)))}`,
);

type RollSecret = WebhookOfStore & { secret: string; at: bigint };

export const rollWebhookSecret = verb('rollWebhookSecret', (tx, rolled: RollSecret) =>
  changeRowOfStore(tx, rollSecret, { ...rolled, until: rolled.at + BOTH_SECRETS_SIGN_MS }),
);

const rollSecret = query((db, p: RollSecret & { until: bigint }) =>
  db
    .updateTable('webhooks')
    .set((eb) => ({ old_secret: eb.ref('secret'), old_secret_until: p.until, secret: p.secret }))
    .where('store_id', '=', p.storeId)
    .where('id', '=', p.webhookId)
    .returning(webhookColumns),
);

export const deleteWebhook = verb('deleteWebhook', (tx, webhook: WebhookOfStore) =>
  changeRowOfStore(tx, removeWebhook, webhook),
);

const removeWebhook = query((db, p: WebhookOfStore) =>
  db.deleteFrom('webhooks').where('store_id', '=', p.storeId).where('id', '=', p.webhookId).returning('id'),
);
