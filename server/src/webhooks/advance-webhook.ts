import { type RawBuilder, type Selectable, sql } from 'kysely';
import { type EngineName, query } from '../database/query.ts';
import { lockRows, updateRows } from '../database/rows.ts';
import type { Schema } from '../database/schema.ts';
import { isOpenAt, tenantId } from '../stores/find-store.ts';
import { type Transaction, verb } from '../writer/verb.ts';
import {
  addDeliveries,
  findUnfinished,
  MAX_TRIES,
  MAX_UNFINISHED,
  type Message,
  RETRY_WAITS_MS,
} from './delivery.ts';
import type { WebhookOfStore } from './manage-webhooks.ts';

/** Per replica and webhook. */
export const MAX_IN_FLIGHT = 8;
/** Longer than an attempt lasts: a claim expires only if no outcome was recorded. */
const CLAIM_MS = 25_000;

export type DueWebhook = WebhookOfStore & {
  tenantId: bigint;
  types: string;
  /** Deliveries exist for the events up to this revision. */
  webhookRevision: bigint;
  storeRevision: bigint;
  nextDue: bigint;
};

export type DuePosition = Pick<DueWebhook, 'nextDue' | 'webhookId'>;
type DueRange = DuePosition & { readonly upTo: bigint; readonly at: bigint; readonly limit: bigint };

/** A page of the webhooks that are due up to a time, found by an index. */
export const webhooksDue = query(
  (_, p: DueRange) => sql<DueWebhook>`
    SELECT webhooks.id AS "webhookId", store_id AS "storeId", ${tenantId} AS "tenantId", types,
      webhooks.revision AS "webhookRevision", stores.revision AS "storeRevision", next_due AS "nextDue"
    FROM webhooks JOIN stores ON stores.id = store_id
    WHERE active = 1 AND next_due <= ${p.upTo} AND (next_due, webhooks.id) > (${p.nextDue}, ${p.webhookId})
      AND ${isOpenAt(p.at)}
    ORDER BY next_due, webhooks.id LIMIT ${p.limit}`,
);

/** New events for a webhook in the change log, up to the revision `upTo`. `lost`: how many were pruned before they were read. */
interface NextEvents {
  readonly upTo: bigint;
  readonly messages: readonly Message[];
  readonly lost: number;
}

interface AdvanceWebhook extends WebhookOfStore {
  readonly types: string;
  readonly webhookRevision: bigint;
  readonly events: NextEvents | undefined;
  /** How many deliveries to claim. */
  readonly limit: number;
  readonly at: bigint;
}

const receiverColumns = ['url', 'secret', 'old_secret', 'old_secret_until'] as const;
const progressColumns = ['types', 'revision', 'next_delivery_id'] as const;

/**
 * Creates deliveries for events, claims due deliveries, and sets when the webhook is due next. Locks the store, so that any
 * later change marks the webhook as due again. Adds no events if another replica was first or the types have changed.
 */
export const advanceWebhook = verb('advanceWebhook', async (tx, args: AdvanceWebhook) => {
  const { storeId: store_id, webhookId: id, events, at } = args;
  const { revision: storeRevision } = await tx.lockStore(store_id);
  const active = { id, store_id, active: 1n };
  const [webhook] = await lockRows(tx, 'webhooks', active, [...receiverColumns, ...progressColumns]);
  if (!webhook) return { claimed: [], exhausted: 0, lost: 0, hasMore: false };
  const { types, revision, next_delivery_id, ...receiver } = webhook;
  const isNext = events && revision === args.webhookRevision && types === args.types;
  const added = isNext && (await isWithinLimit(tx, id, events.messages)) ? events : undefined;
  if (added) await addDeliveries(tx, id, next_delivery_id, added.messages, at);

  const due = args.limit === 0 ? [] : await tx.all(claim, { webhookId: id, limit: BigInt(args.limit), at });
  // Claimed after the last try: the replica that made it died before recording its outcome.
  const exhausted = due.filter(({ tries }) => tries > MAX_TRIES);
  for (const { id: deliveryId } of exhausted)
    await updateRows(tx, 'deliveries', { webhook_id: id, id: deliveryId }, givenUpColumns);
  const claimed = due.filter(({ tries }) => tries <= MAX_TRIES);

  const unfinished = await findUnfinished(tx, id);
  const position = added?.upTo ?? revision;
  const hasMore = position < storeRevision && unfinished.count < MAX_UNFINISHED;
  await updateRows(
    tx,
    'webhooks',
    { id },
    {
      revision: position,
      next_delivery_id: next_delivery_id + BigInt(added?.messages.length ?? 0),
      next_due: hasMore ? 0n : unfinished.next,
    },
  );
  return {
    claimed: claimed.map((delivery) => ({ ...delivery, ...receiver, store_id })),
    exhausted: exhausted.length,
    lost: added?.lost ?? 0,
    hasMore,
  };
});
type Advanced = Awaited<ReturnType<typeof advanceWebhook.run>>;
export type ClaimedDelivery = Advanced['claimed'][number];

const givenUpColumns = { status: 'failed', next_at: null, claimed_until: null } as const;

async function isWithinLimit(
  tx: Transaction,
  webhookId: string,
  messages: readonly Message[],
): Promise<boolean> {
  if (messages.length === 0) return true;
  const { count } = await findUnfinished(tx, webhookId);
  return count + BigInt(messages.length) <= MAX_UNFINISHED;
}

const claimWaits = RETRY_WAITS_MS.map(
  (ms, tries) => sql`WHEN ${sql.lit(tries)} THEN ${sql.lit(Math.max(ms, CLAIM_MS))}`,
);

/** Counts the try in advance: if the replica dies, the try has failed and the next one is scheduled. */
const claim = query(
  (_, p: { webhookId: string; limit: bigint; at: bigint }, engine) => {
    const at = sql`CAST(${p.at} AS bigint)`;
    const due = sql`webhook_id = ${p.webhookId} AND next_at <= ${p.at}`;
    return sql<Selectable<Schema['deliveries']>>`
      UPDATE deliveries SET tries = tries + 1, claimed_until = ${at} + ${sql.lit(CLAIM_MS)},
        next_at = ${at} + CASE tries ${sql.join(claimWaits, sql` `)} ELSE ${sql.lit(CLAIM_MS)} END
      WHERE webhook_id = ${p.webhookId} AND ${isInFirst(due, p.limit, engine)} RETURNING *`;
  },
  { plannedEachTime: true },
);

/** Condition: among the first deliveries, by due time, that match `condition`. Skips locked rows. */
export function isInFirst(condition: RawBuilder<unknown>, limit: bigint, engine: EngineName) {
  const first = sql`SELECT id FROM deliveries WHERE ${condition} ORDER BY next_at, id LIMIT ${limit}`;
  // PostgreSQL evaluates an array once, but might run a subquery for each row.
  return engine === 'postgres'
    ? sql`id = ANY (ARRAY(${first} FOR UPDATE SKIP LOCKED))`
    : sql`id IN (${first})`;
}
