import { query } from '../database/query.ts';
import type { DeliveryStatus } from '../database/schema.ts';

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const satisfies DeliveryStatus[];

/** One try to send an event: what was answered, or why nothing was. */
export interface Attempt {
  readonly at: string;
  /** The address that it was sent to, or the beginning of it. */
  readonly url: string;
  readonly status: number | null;
  readonly durationMs: number;
  /** The beginning of the answer. */
  readonly answer: string | null;
  readonly error: string | null;
}

/** Tries that are told of: all that a new delivery has; of one that was made to start over, the last ones. */
const MOST_ATTEMPTS = 8;
/** Characters that are kept of their answers together: those of the newest, as far as they fit. */
const MOST_ANSWERED = 2_048;

/** An event on its way to a webhook. */
export interface Delivery {
  id: bigint;
  /** The event as JSON, which is what is sent. */
  body: string;
  status: DeliveryStatus;
  /** As JSON, oldest first. */
  attempts: string;
  /** When it is tried next, at the latest; null if it is not. */
  next_at: bigint | null;
  created_at: bigint;
}

/** The tries of a delivery, oldest first; none, where what was written down of them cannot be read. */
export function attemptsOf({ attempts }: Pick<Delivery, 'attempts'>): Attempt[] {
  try {
    const read = JSON.parse(attempts);
    return Array.isArray(read) ? read : [];
  } catch {
    return [];
  }
}

/** What is kept of the tries once there was one more, as JSON. */
export function withAttempt(delivery: Pick<Delivery, 'attempts'>, attempt: Attempt): string {
  let left = MOST_ANSWERED;
  const kept = [...attemptsOf(delivery), attempt].slice(-MOST_ATTEMPTS).reverse();
  const shortened = kept.map(({ answer, ...rest }) => {
    left -= answer?.length ?? 0;
    return { ...rest, answer: left >= 0 ? answer : null };
  });
  return JSON.stringify(shortened.reverse());
}

export const deliveryColumns = ['id', 'body', 'status', 'attempts', 'next_at', 'created_at'] as const;

/** Deliveries of a webhook, newest first. */
export const deliveryPage = query((db, p: { webhookId: string; before: bigint; limit: bigint }) =>
  db
    .selectFrom('deliveries')
    .select(deliveryColumns)
    .where('webhook_id', '=', p.webhookId)
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(p.limit),
);
