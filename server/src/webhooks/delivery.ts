import { sql } from 'kysely';
import { query } from '../database/query.ts';
import type { Schema } from '../database/schema.ts';

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
/** The wait after each try that failed; after the last, the delivery is given up. */
export const RETRY_WAITS_MS = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour];
/** Each wait is longer by up to this part of it, so that many that failed together do not come back together. */
const JITTER = 0.1;
export const GONE = 410;

export function outcomeOf({ status }: Attempt, tries: number, now: number, random = Math.random()) {
  if (status !== null && status >= 200 && status < 300) return { status: 'delivered' as const, nextAt: null };
  const wait = RETRY_WAITS_MS[tries];
  if (status === GONE || wait === undefined) return { status: 'failed' as const, nextAt: null };
  return { status: 'pending' as const, nextAt: BigInt(Math.round(now + wait * (1 + JITTER * random))) };
}

/** All tries of a new delivery; of one that was made to start over, the last ones. */
const MOST_ATTEMPTS = 8;
/** Characters that are kept of their answers together: those of the newest, as far as they fit. */
const MOST_ANSWER_CHARACTERS = 2_048;

export function attemptsOf({ attempts }: Pick<Delivery, 'attempts'>): Attempt[] {
  try {
    const read = JSON.parse(attempts);
    return Array.isArray(read) ? read : [];
  } catch {
    return [];
  }
}

export function withAttempt(delivery: Pick<Delivery, 'attempts'>, attempt: Attempt): string {
  let left = MOST_ANSWER_CHARACTERS;
  const kept = [...attemptsOf(delivery), attempt].slice(-MOST_ATTEMPTS).reverse();
  const shortened = kept.map(({ answer, ...rest }) => {
    left -= answer?.length ?? 0;
    return { ...rest, answer: left >= 0 ? answer : null };
  });
  return JSON.stringify(shortened.reverse());
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

/** More than 10,000 are not counted, so that to ask costs little. */
export const waitingDeliveries = query(
  (_, __: Record<never, never>) => sql<{ count: bigint; oldest: bigint | null }>`
    SELECT count(*) AS count, min(created_at) AS oldest
    FROM (SELECT created_at FROM deliveries WHERE next_at IS NOT NULL LIMIT 10000) AS waiting`,
);
