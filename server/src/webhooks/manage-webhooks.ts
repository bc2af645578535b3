import { sql } from 'kysely';
import { query } from '../database/query.ts';
import { Refusal } from '../refusal.ts';
import { verb } from '../writer/verb.ts';
import { changeRowOfStore, type Webhook, type WebhookOfStore, webhookColumns } from './webhook.ts';

const MOST_WEBHOOKS = 10n;
const BOTH_SECRETS_SIGN_MS = 86_400_000n;

interface CreateWebhook extends WebhookOfStore {
  readonly url: string;
  readonly types: string;
  readonly secret: string;
  readonly at: bigint;
}

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
      url: p.url,
      types: p.types,
      secret: p.secret,
      active: 1n,
      created_at: p.at,
      revision: p.revision,
      next_delivery_id: 1n,
    })
    .returning(webhookColumns),
);

interface ChangeWebhook extends WebhookOfStore {
  readonly url: string | null;
  readonly types: string | null;
  readonly active: bigint | null;
}

/** One that is turned on again is sent what happens from then on. */
export const changeWebhook = verb('changeWebhook', async (tx, change: ChangeWebhook): Promise<Webhook> => {
  const { revision } = await tx.lockStore(change.storeId);
  return changeRowOfStore(tx, updateWebhook, { ...change, revision });
});

const updateWebhook = query(
  (_, p: ChangeWebhook & { revision: bigint }) => sql<Webhook>`
    UPDATE webhooks SET url = coalesce(${p.url}, url), types = coalesce(${p.types}, types),
      revision = CASE WHEN active = 0 AND ${p.active} = 1 THEN ${p.revision} ELSE revision END,
      active = coalesce(${p.active}, active)
    WHERE store_id = ${p.storeId} AND id = ${p.webhookId}
    RETURNING ${sql.join(webhookColumns.map((column) => sql.ref(column)))}`,
);

interface RollSecret extends WebhookOfStore {
  readonly secret: string;
  readonly at: bigint;
}

export const rollWebhookSecret = verb(
  'rollWebhookSecret',
  async (tx, { at, ...secret }: RollSecret): Promise<Webhook> =>
    changeRowOfStore(tx, rollSecret, { ...secret, until: at + BOTH_SECRETS_SIGN_MS }),
);

const rollSecret = query((db, p: Omit<RollSecret, 'at'> & { until: bigint }) =>
  db
    .updateTable('webhooks')
    .set((eb) => ({ old_secret: eb.ref('secret'), old_secret_until: p.until, secret: p.secret }))
    .where('store_id', '=', p.storeId)
    .where('id', '=', p.webhookId)
    .returning(webhookColumns),
);

export const deleteWebhook = verb('deleteWebhook', async (tx, webhook: WebhookOfStore): Promise<void> => {
  await changeRowOfStore(tx, removeWebhook, webhook);
});

const removeWebhook = query((db, p: WebhookOfStore) =>
  db.deleteFrom('webhooks').where('store_id', '=', p.storeId).where('id', '=', p.webhookId).returning('id'),
);
