import { type RawBuilder, sql } from 'kysely';
import { query, raw } from '../database/query.ts';
import type { DeliveryStatus } from '../database/schema.ts';
import { Refusal } from '../refusal.ts';
import { tenantId } from '../stores/tenant.ts';
import { verb } from '../writer/verb.ts';
import { type Delivery, deliveryColumns } from './delivery.ts';

/** A delivery that this replica may try until its claim ends: then another one may. */
export interface ClaimedDelivery {
  readonly webhookId: string;
  readonly id: bigint;
  readonly body: string;
  readonly traceparent: string | null;
  readonly attempts: string;
  readonly tries: bigint;
  readonly url: string;
  readonly secret: string;
  readonly oldSecret: string | null;
  readonly oldSecretUntil: bigint | null;
  /** When the claim ends, by which it is known. */
  readonly until: bigint;
}

/** How few are wanted decides the plan. */
const eachTime = { plannedEachTime: true };

/**
 * Active webhooks after this one, in the order of their ids, that have deliveries due. It goes from one webhook that has
 * some waiting to the next, so that what it costs does not depend on how many any of them has.
 */
export const webhooksDue = query((db, p: WebhooksDue) => {
  const firstAfter = (place: RawBuilder<unknown>) => sql`
    (SELECT webhook_id FROM deliveries
      WHERE next_at IS NOT NULL AND webhook_id > ${place} ORDER BY webhook_id LIMIT 1)`;
  return raw<DueWebhook>(
    db,
    sql`
      WITH RECURSIVE waiting (id) AS (
        SELECT ${firstAfter(sql`${p.after}`)}
        UNION ALL SELECT ${firstAfter(sql.ref('waiting.id'))} FROM waiting WHERE waiting.id IS NOT NULL
      )
      SELECT waiting.id AS ${sql.ref('webhookId')},
        (SELECT ${tenantId} FROM stores WHERE stores.id = webhooks.store_id) AS ${sql.ref('tenantId')}
      FROM waiting JOIN webhooks ON webhooks.id = waiting.id
      WHERE webhooks.active = 1 AND ',' || ${p.busy} || ',' NOT LIKE '%,' || waiting.id || ',%' AND EXISTS (
        SELECT 1 FROM deliveries WHERE webhook_id = waiting.id AND next_at <= ${p.at}
      )
      LIMIT ${p.limit}`,
  );
}, eachTime);

export interface DueWebhook {
  webhookId: string;
  tenantId: bigint;
}

interface WebhooksDue {
  after: string;
  at: bigint;
  /** Webhooks of which no more are wanted now, separated by commas. */
  busy: string;
  limit: bigint;
}

export interface ClaimDeliveries {
  /** So many of each webhook. */
  readonly wanted: ReadonlyArray<{ readonly webhookId: string; readonly most: bigint }>;
  readonly at: bigint;
  /** When the claim ends. */
  readonly until: bigint;
}

/** Claims deliveries that are due, a few of each webhook, so that none has to wait behind another's. */
export const claimDeliveries = verb(
  'claimDeliveries',
  async (tx, { wanted, at, until }: ClaimDeliveries): Promise<readonly ClaimedDelivery[]> => {
    const claimed: ClaimedDelivery[] = [];
    for (const { webhookId, most } of wanted)
      claimed.push(...(await tx.all(claim, { webhookId, most, at, until })));
    return claimed;
  },
);

const ofWebhook = (column: string) =>
  sql`(SELECT ${sql.ref(column)} FROM webhooks WHERE webhooks.id = webhook_id)`;

const claim = query((db, p: { webhookId: string; at: bigint; until: bigint; most: bigint }, engine) => {
  const due = sql`
    SELECT id FROM deliveries WHERE webhook_id = ${p.webhookId} AND next_at <= ${p.at}
      AND (SELECT active FROM webhooks WHERE id = ${p.webhookId}) = 1
      ORDER BY next_at, id LIMIT ${p.most}`;
  // Locked as one list, which PostgreSQL makes once: as a condition, it might make it for each row, and longer.
  const isDue =
    engine === 'postgres' ? sql`id = ANY (ARRAY(${due} FOR UPDATE SKIP LOCKED))` : sql`id IN (${due})`;
  return raw<ClaimedDelivery>(
    db,
    sql`
      UPDATE deliveries SET next_at = ${p.until} WHERE webhook_id = ${p.webhookId} AND ${isDue}
      RETURNING webhook_id AS ${sql.ref('webhookId')}, id, body, traceparent, attempts, tries,
        ${ofWebhook('url')} AS url, ${ofWebhook('secret')} AS secret,
        ${ofWebhook('old_secret')} AS ${sql.ref('oldSecret')},
        ${ofWebhook('old_secret_until')} AS ${sql.ref('oldSecretUntil')}, next_at AS until`,
  );
}, eachTime);

export interface RecordAttempt {
  readonly webhookId: string;
  readonly deliveryId: bigint;
  /** The claim under which it was tried. */
  readonly until: bigint;
  readonly status: DeliveryStatus;
  readonly attempts: string;
  readonly nextAt: bigint | null;
  /** Whether the receiver wants nothing more, ever. */
  readonly turnOff: boolean;
}

/** Writes down what came of tries, and when the next ones are; unless, meanwhile, a delivery was made to start over. */
export const recordAttempts = verb(
  'recordAttempts',
  async (tx, { attempts }: { attempts: readonly RecordAttempt[] }): Promise<void> => {
    for (const { webhookId, turnOff, ...rest } of attempts) {
      await tx.all(writeAttempt, { webhookId, ...rest });
      if (turnOff) await tx.all(turnWebhookOff, { webhookId });
    }
  },
);

const writeAttempt = query(
  (
    db,
    p: {
      webhookId: string;
      deliveryId: bigint;
      until: bigint;
      status: DeliveryStatus;
      attempts: string;
      nextAt: bigint | null;
    },
  ) =>
    db
      .updateTable('deliveries')
      .set((eb) => ({
        status: p.status,
        attempts: p.attempts,
        tries: eb('tries', '+', 1n),
        next_at: p.nextAt,
      }))
      .where('webhook_id', '=', p.webhookId)
      .where('id', '=', p.deliveryId)
      .where('next_at', '=', p.until),
);

const turnWebhookOff = query((db, p: { webhookId: string }) =>
  db.updateTable('webhooks').set({ active: 0n }).where('id', '=', p.webhookId),
);

/** Has a delivery tried once more, at once, and as often as a new one. */
export const redeliver = verb(
  'redeliver',
  async (
    tx,
    p: { storeId: bigint; webhookId: string; deliveryId: bigint; at: bigint },
  ): Promise<Delivery> => {
    await tx.lockStore(p.storeId);
    const [delivery] = await tx.all(tryAgain, p);
    if (!delivery) throw new Refusal('not_found');
    return delivery;
  },
);

const tryAgain = query((db, p: { storeId: bigint; webhookId: string; deliveryId: bigint; at: bigint }) =>
  db
    .updateTable('deliveries')
    .set({ status: 'pending', tries: 0n, next_at: p.at })
    .where('webhook_id', '=', p.webhookId)
    .where('id', '=', p.deliveryId)
    .where('webhook_id', 'in', (eb) =>
      eb.selectFrom('webhooks').select('webhooks.id').where('store_id', '=', p.storeId),
    )
    .returning(deliveryColumns),
);

/** Forgets some deliveries that are older than that; `done` once there are no more. */
export const pruneDeliveries = verb(
  'pruneDeliveries',
  async (tx, { before }: { before: bigint }): Promise<{ done: boolean }> => {
    const gone = await tx.all(removeOld, { before });
    return { done: gone.length < PRUNED_AT_ONCE };
  },
);

/** Lets be tried now what waits for a moment that no wait ends at: it was set by a clock that was ahead. */
export const hastenDeliveries = verb(
  'hastenDeliveries',
  async (tx, { at }: { at: bigint }): Promise<void> => {
    await tx.all(hasten, { at, latest: at + LONGEST_WAIT_MS });
  },
);

export const anyAhead = query((db, p: { latest: bigint }) =>
  db.selectFrom('deliveries').select('id').where('next_at', '>', p.latest).limit(1),
);

/** Longer than the longest wait between two tries. */
export const LONGEST_WAIT_MS = 12n * 3_600_000n;

const hasten = query((db, p: { at: bigint; latest: bigint }) =>
  db.updateTable('deliveries').set({ next_at: p.at }).where('next_at', '>', p.latest),
);

const PRUNED_AT_ONCE = 500;

const removeOld = query((db, p: { before: bigint }) =>
  raw<{ id: bigint }>(
    db,
    sql`
      DELETE FROM deliveries WHERE (webhook_id, id) IN (
        SELECT webhook_id, id FROM deliveries WHERE created_at < ${p.before} LIMIT ${sql.lit(PRUNED_AT_ONCE)}
      ) RETURNING id`,
  ),
);
