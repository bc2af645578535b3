import { type Selectable, sql } from 'kysely';
import { query } from '../database/query.ts';
import { findRows, insertRow, lockRows, updateRows } from '../database/rows.ts';
import type { Schema } from '../database/schema.ts';
import { Refusal } from '../refusal.ts';
import { isOpenAt, tenantId } from '../stores/find-store.ts';
import { type Transaction, verb } from '../writer/verb.ts';
import { type Delivery, deliveryColumns, RETRY_WAITS_MS } from './delivery.ts';
import { lockWebhook, type WebhookOfStore } from './manage-webhooks.ts';

const MOST_KEPT_OF_WEBHOOK = 1_000n;
export const EVENTS_AT_ONCE = 100n;

export type WebhookBehind = WebhookOfStore & { types: string; from: bigint; reached: bigint };

/**
 * In any order: none waits for ever behind others that are always behind. Without those of which 100 more deliveries would
 * push out one never tried, such as one that a replica claimed before it died.
 */
export const webhooksBehind = query(
  (_, p: { at: bigint; limit: bigint }) => sql<WebhookBehind>`
    SELECT webhooks.id AS "webhookId", store_id AS "storeId", types, webhooks.revision AS "from",
      stores.revision AS reached
    FROM webhooks JOIN stores ON stores.id = store_id
    WHERE active = 1 AND ${isOpenAt(p.at)} AND stores.revision > webhooks.revision AND NOT EXISTS (
      SELECT 1 FROM deliveries
      WHERE webhook_id = webhooks.id AND deliveries.id <= next_delivery_id - ${MOST_KEPT_OF_WEBHOOK - EVENTS_AT_ONCE}
        AND tries = 0 AND next_at IS NOT NULL
    )
    ORDER BY random() LIMIT ${p.limit}`,
);

export type Message = { readonly body: string; readonly traceparent: string | null };

type MakeDeliveries = { webhook: WebhookBehind; upTo: bigint; messages: Message[]; at: bigint };

/** Makes a delivery of each event, once: whoever comes second, or went by types from before, makes none. */
export const makeDeliveries = verb('makeDeliveries', async (tx, made: MakeDeliveries): Promise<void> => {
  const { webhookId: id, types, from: revision } = made.webhook;
  const behind = { id, types, revision, active: 1n };
  const [found] = await lockRows(tx, 'webhooks', behind, ['next_delivery_id']);
  if (found) await addDeliveries(tx, { ...found, id, revision: made.upTo }, made.messages, made.at);
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

export type DueWebhook = { webhookId: string; tenantId: bigint };

export const webhooksDue = query(
  (_, p: { after: string; at: bigint; limit: bigint }) => sql<DueWebhook>`
    SELECT webhooks.id AS "webhookId", ${tenantId} AS "tenantId"
    FROM webhooks JOIN stores ON stores.id = store_id
    WHERE active = 1 AND ${isOpenAt(p.at)} AND webhooks.id > ${p.after} AND ${p.at} >= (
      SELECT min(next_at) FROM deliveries WHERE webhook_id = webhooks.id AND next_at IS NOT NULL
    )
    ORDER BY webhooks.id LIMIT ${p.limit}`,
  { plannedEachTime: true },
);

type ClaimDeliveries = { webhookId: string; most: bigint; at: bigint; until: bigint };

const receiverColumns = ['store_id', 'url', 'secret', 'old_secret', 'old_secret_until'] as const;

/** A replica may try what it claimed until its claim ends: then another one may. */
export const claimDeliveries = verb('claimDeliveries', async (tx, claimed: ClaimDeliveries) => {
  const active = { id: claimed.webhookId, active: 1n };
  const [webhook] = await findRows(tx, 'webhooks', active, receiverColumns);
  if (!webhook) return [];
  const deliveries = await tx.all(claim, claimed);
  return deliveries.map((delivery) => ({ ...webhook, ...delivery }));
});
export type ClaimedDelivery = Awaited<ReturnType<typeof claimDeliveries.run>>[number];

const claim = query(
  (_, p: ClaimDeliveries, engine) => {
    const due = sql`
      SELECT id FROM deliveries WHERE webhook_id = ${p.webhookId} AND next_at <= ${p.at}
      ORDER BY next_at, id LIMIT ${p.most}`;
    // PostgreSQL makes a list once. As a condition, it might make it for each row.
    const isDue =
      engine === 'postgres' ? sql`id = ANY (ARRAY(${due} FOR UPDATE SKIP LOCKED))` : sql`id IN (${due})`;
    return sql<Selectable<Schema['deliveries']>>`
      UPDATE deliveries SET next_at = ${p.until} WHERE webhook_id = ${p.webhookId} AND ${isDue} RETURNING *`;
  },
  { plannedEachTime: true },
);

/** It names its store, so that tries of one store that end together are written together. */
interface RecordAttempt {
  readonly storeId: bigint;
  readonly claimed: Pick<ClaimedDelivery, 'webhook_id' | 'id' | 'next_at'>;
  readonly tried: Pick<Schema['deliveries'], 'status' | 'attempts' | 'tries' | 'next_at'>;
  /** The webhook, as it was when it answered 410. */
  readonly goneWebhook: Pick<Schema['webhooks'], 'id' | 'url'> | undefined;
}

/** Records a try, and when the next one is; unless, meanwhile, it was claimed again or made to start over. */
export const recordAttempt = verb('recordAttempt', async (tx, attempt: RecordAttempt): Promise<void> => {
  const { claimed, tried, goneWebhook } = attempt;
  const turnedOff = goneWebhook && (await updateRows(tx, 'webhooks', goneWebhook, { active: 0n }, ['id']));
  // Where it has another address by now, it is tried there once the claim ends.
  const triedElsewhere = { ...tried, status: 'pending' as const, next_at: claimed.next_at };
  await updateRows(tx, 'deliveries', claimed, turnedOff?.length === 0 ? triedElsewhere : tried);
});

type Redeliver = WebhookOfStore & { deliveryId: bigint; at: bigint };

export const redeliver = verb('redeliver', async (tx, { deliveryId, at, ...own }: Redeliver) => {
  const { id: webhook_id } = await lockWebhook(tx, own);
  const anew = { status: 'pending' as const, tries: 0n, next_at: at };
  const [made] = await updateRows(tx, 'deliveries', { webhook_id, id: deliveryId }, anew, deliveryColumns);
  if (!made) throw new Refusal('not_found');
  return made;
});

/** Makes due now whatever is due later than it may have to wait: its time was set by a clock that was ahead. */
export const hastenDeliveries = verb('hastenDeliveries', (tx, { at }: { at: bigint }) =>
  tx.all(hasten, { at }),
);

const waits = RETRY_WAITS_MS.map((ms, i) => sql`WHEN ${sql.lit(i + 1)} THEN ${sql.lit(ms)}`);

/** A claim takes less than a minute. A wait after a try takes less than twice what it should. */
const hasten = query(
  (_, p: { at: bigint }) => sql<never>`
    UPDATE deliveries SET next_at = ${p.at}
    WHERE next_at > CAST(${p.at} AS bigint) + 60000 + 2 * (CASE tries ${sql.join(waits, sql` `)} ELSE 0 END)`,
);
