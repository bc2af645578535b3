import { sql } from 'kysely';
import { type Connection, query } from '../database/query.ts';
import { insertRows } from '../database/rows.ts';
import type { Schema } from '../database/schema.ts';
import type { Transaction } from '../writer/verb.ts';

export const deliveryColumns = ['id', 'body', 'status', 'attempts', 'next_at', 'created_at'] as const;
export type Delivery = Pick<Schema['deliveries'], (typeof deliveryColumns)[number]>;

export interface Attempt {
  readonly at: string;
  readonly url: string;
  readonly status: number | null;
  readonly durationMs: number;
  readonly answer: string | null;
  readonly error: string | null;
}

const [second, minute, hour] = [1_000, 60_000, 3_600_000];
/** The wait after each failed try; after the last, the delivery is given up. */
export const RETRY_WAITS_MS = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour];
export const MAX_TRIES = RETRY_WAITS_MS.length + 1;
/** Each wait is longer by up to this fraction, so that deliveries that failed together are not retried together. */
const JITTER = 0.1;
export const GONE = 410;

/** The outcome of an attempt after `tries` earlier ones. */
export function outcomeOf({ status }: Attempt, tries: number, now: number, random = Math.random()) {
  if (status !== null && status >= 200 && status < 300) return { status: 'delivered' as const, nextAt: null };
  const wait = RETRY_WAITS_MS[tries];
  if (status === GONE || wait === undefined) return { status: 'failed' as const, nextAt: null };
  return { status: 'pending' as const, nextAt: BigInt(Math.round(now + wait * (1 + JITTER * random))) };
}

/** Stored per delivery: all attempts, or the last ones if it was redelivered. */
const MAX_ATTEMPTS = 8;
/** Stored per delivery: the responses of the newest attempts, as far as they fit. */
const MAX_RESPONSE_CHARACTERS = 2_048;

export function attemptsOf({ attempts }: Pick<Delivery, 'attempts'>): Attempt[] {
  try {
    const read = JSON.parse(attempts);
    return Array.isArray(read) ? read : [];
  } catch {
    return [];
  }
}

export function withAttempt(delivery: Pick<Delivery, 'attempts'>, attempt: Attempt): string {
  let left = MAX_RESPONSE_CHARACTERS;
  const newestFirst = [...attemptsOf(delivery), attempt].slice(-MAX_ATTEMPTS).reverse();
  const shortened = newestFirst.map(({ answer, ...rest }) => {
    left -= answer?.length ?? 0;
    return { ...rest, answer: left >= 0 ? answer : null };
  });
  return JSON.stringify(shortened.reverse());
}

/** Per webhook. A delivery is unfinished until it succeeds or is given up. */
export const MAX_UNFINISHED = 1_000n;

const unfinishedOf = query(
  (_, p: { webhookId: string }) => sql<{ count: bigint; next: bigint | null }>`
    SELECT count(*) AS count, min(next_at) AS next FROM (
      SELECT next_at FROM deliveries WHERE webhook_id = ${p.webhookId} AND next_at IS NOT NULL
      ORDER BY next_at LIMIT ${sql.lit(MAX_UNFINISHED)}
    ) AS unfinished`,
  { plannedEachTime: true },
);

/** How many unfinished deliveries a webhook has, and when the first of them is due. */
export async function findUnfinished(connection: Connection, webhookId: string) {
  const [unfinished] = await connection.all(unfinishedOf, { webhookId });
  return unfinished ?? { count: 0n, next: null };
}

export type Message = { readonly body: string; readonly traceparent: string | null };

/** Inserts a delivery for each message, with consecutive ids. */
export async function addDeliveries(
  tx: Transaction,
  webhookId: string,
  firstId: bigint,
  messages: readonly Message[],
  at: bigint,
) {
  const state = { status: 'pending' as const, tries: 0n, attempts: '[]', next_at: at, created_at: at };
  const deliveries = messages.map((message, i) => ({
    webhook_id: webhookId,
    id: firstId + BigInt(i),
    ...message,
    ...state,
  }));
  await insertRows(tx, 'deliveries', deliveries);
  return deliveries;
}

export const deliveryPage = query((db, p: { webhookId: string; before: bigint; limit: bigint }) =>
  db
    .selectFrom('deliveries')
    .select(deliveryColumns)
    .where('webhook_id', '=', p.webhookId)
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(p.limit),
);

/** Counts up to 10,000, to bound the cost. */
export const pendingDeliveries = query(
  (_, __: Record<never, never>) => sql<{ count: bigint; oldest: bigint | null }>`
    SELECT count(*) AS count, min(created_at) AS oldest
    FROM (SELECT created_at FROM deliveries WHERE next_at IS NOT NULL LIMIT 10000) AS waiting`,
);
