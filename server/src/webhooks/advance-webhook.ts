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

/** Attempts of one webhook in flight, on each replica. */
export const MAX_IN_FLIGHT = 8;
/** Longer than any attempt takes: an older claim was left by a replica that died. */
const CLAIM_MS = 25_000;

/** `from` and `reached` are revisions: how far the webhook and the store have come. */
export type DueWebhook = WebhookOfStore & {
  tenantId: bigint;
  types: string;
  from: bigint;
  reached: bigint;
  nextDue: bigint;
};

type Place = { readonly nextDue: bigint; readonly webhookId: string };
type DueAfter = Place & { readonly at: bigint; readonly limit: bigint };

/** Webhooks with something to do, after a place in their order. By an index: the others are not looked at. */
export const webhooksDue = query(
  (_, p: DueAfter) => sql<DueWebhook>`
    SELECT webhooks.id AS "webhookId", store_id AS "storeId", ${tenantId} AS "tenantId", types,
      webhooks.revision AS "from", stores.revision AS reached, next_due AS "nextDue"
    FROM webhooks JOIN stores ON stores.id = store_id
    WHERE active = 1 AND next_due <= ${p.at} AND (next_due, webhooks.id) > (${p.nextDue}, ${p.webhookId})
      AND ${isOpenAt(p.at)}
    ORDER BY next_due, webhooks.id LIMIT ${p.limit}`,
);

/** What the log has for a webhook between two revisions. `lost`: events that were no longer in it. */
interface NextEvents {
  readonly upTo: bigint;
  readonly messages: readonly Message[];
  readonly lost: number;
}

interface AdvanceWebhook extends WebhookOfStore {
  readonly types: string;
  readonly from: bigint;
  readonly events: NextEvents | undefined;
  /** How many deliveries to claim, and how many attempts of the webhook are in flight already. */
  readonly limit: number;
  readonly inFlight: number;
  readonly at: bigint;
}

const receiverColumns = ['url', 'secret', 'old_secret', 'old_secret_until'] as const;
const positionColumns = ['types', 'revision', 'next_delivery_id'] as const;

/**
 * Turns events into deliveries, claims those that are due, and notes when the webhook is due next. The store is locked, so
 * that a change either was seen here or marks the webhook again. Events are added once: if another replica was first, or
 * the types are others by now, none is added.
 */
export const advanceWebhook = verb('advanceWebhook', async (tx, args: AdvanceWebhook) => {
  const { storeId: store_id, webhookId: id, events, at } = args;
  const { revision: reached } = await tx.lockStore(store_id);
  const active = { id, store_id, active: 1n };
  const [webhook] = await lockRows(tx, 'webhooks', active, [...receiverColumns, ...positionColumns]);
  if (!webhook) return { claimed: [], exhausted: 0, lost: 0, hasMore: false };
  const { types, revision, next_delivery_id, ...receiver } = webhook;
  const isNext = events && revision === args.from && types === args.types;
  const added = isNext && (await fits(tx, id, events.messages)) ? events : undefined;
  if (added) await addDeliveries(tx, id, next_delivery_id, added.messages, at);

  const due = args.limit === 0 ? [] : await tx.all(claim, { webhookId: id, limit: BigInt(args.limit), at });
  // The last try was in flight when its replica died.
  const exhausted = due.filter(({ tries }) => tries > MAX_TRIES);
  for (const { id: deliveryId } of exhausted)
    await updateRows(tx, 'deliveries', { webhook_id: id, id: deliveryId }, givenUp);
  const claimed = due.filter(({ tries }) => tries <= MAX_TRIES);

  const unfinished = await findUnfinished(tx, id);
  const position = added?.upTo ?? revision;
  const hasMore = position < reached && unfinished.count < MAX_UNFINISHED;
  const isBusy = args.inFlight + claimed.length >= MAX_IN_FLIGHT;
  await updateRows(
    tx,
    'webhooks',
    { id },
    {
      revision: position,
      next_delivery_id: next_delivery_id + BigInt(added?.messages.length ?? 0),
      // An attempt that ends marks a busy webhook again.
      next_due: hasMore ? 0n : isBusy ? at + BigInt(CLAIM_MS) : unfinished.next,
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

const givenUp = { status: 'failed', next_at: null, claimed_until: null } as const;

async function fits(tx: Transaction, webhookId: string, messages: readonly Message[]): Promise<boolean> {
  if (messages.length === 0) return true;
  const { count } = await findUnfinished(tx, webhookId);
  return count + BigInt(messages.length) <= MAX_UNFINISHED;
}

const claimWaits = RETRY_WAITS_MS.map(
  (ms, tries) => sql`WHEN ${sql.lit(tries)} THEN ${sql.lit(Math.max(ms, CLAIM_MS))}`,
);

/** The try counts from now on: if the replica dies, it has failed, and the next one comes at its time. */
const claim = query(
  (_, p: { webhookId: string; limit: bigint; at: bigint }, engine) => {
    const at = sql`CAST(${p.at} AS bigint)`;
    const due = sql`webhook_id = ${p.webhookId} AND next_at <= ${p.at}`;
    return sql<Selectable<Schema['deliveries']>>`
      UPDATE deliveries SET tries = tries + 1, claimed_until = ${at} + ${sql.lit(CLAIM_MS)},
        next_at = ${at} + CASE tries ${sql.join(claimWaits, sql` `)} ELSE ${sql.lit(CLAIM_MS)} END
      WHERE webhook_id = ${p.webhookId} AND ${isAmongFirst(due, p.limit, engine)} RETURNING *`;
  },
  { plannedEachTime: true },
);

/** Holds for the first deliveries for which a condition holds, by when they are due. Rows that are locked are skipped. */
export function isAmongFirst(condition: RawBuilder<unknown>, limit: bigint, engine: EngineName) {
  const first = sql`SELECT id FROM deliveries WHERE ${condition} ORDER BY next_at, id LIMIT ${limit}`;
  // PostgreSQL builds an array once. It might run a subquery for each row.
  return engine === 'postgres'
    ? sql`id = ANY (ARRAY(${first} FOR UPDATE SKIP LOCKED))`
    : sql`id IN (${first})`;
}
