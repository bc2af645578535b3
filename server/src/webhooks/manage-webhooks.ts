import { sql } from 'kysely';
import { query, raw } from '../database/query.ts';
import { Refusal } from '../refusal.ts';
import { verb } from '../writer/verb.ts';
import { MOST_WEBHOOKS, type Webhook, webhookColumns } from './webhook.ts';

/** After a secret was rolled, the old one signs too for so long. */
const OVERLAP_MS = 86_400_000n;

export interface CreateWebhook {
  readonly storeId: bigint;
  readonly webhookId: string;
  readonly url: string;
  readonly types: string;
  readonly secret: string;
  readonly at: bigint;
}

/** Adds a webhook, which is sent what happens from now on. */
export const createWebhook = verb('createWebhook', async (tx, webhook: CreateWebhook): Promise<Webhook> => {
  const { revision } = await tx.lockStore(webhook.storeId);
  const [created] = await tx.all(insertWebhook, { ...webhook, revision });
  if (!created) throw new Refusal('webhook_limit_reached');
  return created;
});

const columns = sql.join(webhookColumns.map((column) => sql.ref(column)));

// Counted and added by one statement: of two at once, no more than fit are added.
const insertWebhook = query((db, p: CreateWebhook & { revision: bigint }) =>
  raw<Webhook>(
    db,
    sql`
      INSERT INTO webhooks (id, store_id, url, types, secret, active, created_at, revision, next_delivery_id)
      SELECT ${p.webhookId}, CAST(${p.storeId} AS bigint), ${p.url}, ${p.types}, ${p.secret}, 1,
        CAST(${p.at} AS bigint), CAST(${p.revision} AS bigint), 1
      WHERE (SELECT count(*) FROM webhooks WHERE store_id = ${p.storeId}) < ${sql.lit(MOST_WEBHOOKS)}
      RETURNING ${columns}`,
  ),
);

export interface ChangeWebhook {
  readonly storeId: bigint;
  readonly webhookId: string;
  readonly url: string | undefined;
  readonly types: string | undefined;
  readonly active: boolean | undefined;
}

/** Changes what is given. One that is turned on again is sent what happens from then on. */
export const changeWebhook = verb(
  'changeWebhook',
  async (tx, { storeId, webhookId, url, types, active }: ChangeWebhook): Promise<Webhook> => {
    const { revision } = await tx.lockStore(storeId);
    const turned = active === undefined ? null : BigInt(active);
    const [changed] = await tx.all(updateWebhook, {
      storeId,
      webhookId,
      url: url ?? null,
      types: types ?? null,
      active: turned,
      revision,
    });
    if (!changed) throw new Refusal('not_found');
    return changed;
  },
);

interface Update {
  storeId: bigint;
  webhookId: string;
  url: string | null;
  types: string | null;
  active: bigint | null;
  revision: bigint;
}

const updateWebhook = query((db, p: Update) =>
  raw<Webhook>(
    db,
    sql`
      UPDATE webhooks SET url = coalesce(${p.url}, url), types = coalesce(${p.types}, types),
        revision = CASE WHEN active = 0 AND ${p.active} = 1 THEN ${p.revision} ELSE revision END,
        active = coalesce(${p.active}, active)
      WHERE store_id = ${p.storeId} AND id = ${p.webhookId}
      RETURNING ${columns}`,
  ),
);

/** Gives the webhook another secret; the one that it had goes on signing beside it for a day. */
export const rollWebhookSecret = verb(
  'rollWebhookSecret',
  async (
    tx,
    { storeId, webhookId, secret, at }: { storeId: bigint; webhookId: string; secret: string; at: bigint },
  ): Promise<Webhook> => {
    await tx.lockStore(storeId);
    const [rolled] = await tx.all(rollSecret, { storeId, webhookId, secret, until: at + OVERLAP_MS });
    if (!rolled) throw new Refusal('not_found');
    return rolled;
  },
);

const rollSecret = query((db, p: { storeId: bigint; webhookId: string; secret: string; until: bigint }) =>
  db
    .updateTable('webhooks')
    .set((eb) => ({ old_secret: eb.ref('secret'), old_secret_until: p.until, secret: p.secret }))
    .where('store_id', '=', p.storeId)
    .where('id', '=', p.webhookId)
    .returning(webhookColumns),
);

/** Deletes the webhook and what there was to send to it. */
export const deleteWebhook = verb(
  'deleteWebhook',
  async (tx, { storeId, webhookId }: { storeId: bigint; webhookId: string }): Promise<void> => {
    await tx.lockStore(storeId);
    const [deleted] = await tx.all(removeWebhook, { storeId, webhookId });
    if (!deleted) throw new Refusal('not_found');
  },
);

const removeWebhook = query((db, p: { storeId: bigint; webhookId: string }) =>
  db.deleteFrom('webhooks').where('store_id', '=', p.storeId).where('id', '=', p.webhookId).returning('id'),
);
