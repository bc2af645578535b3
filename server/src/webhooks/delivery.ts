import { query } from '../database/query.ts';
import type { DeliveryStatus } from '../database/schema.ts';

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const satisfies DeliveryStatus[];

/** One try to send an event: what was answered, or why nothing was. */
export interface Attempt {
  readonly at: string;
  readonly status: number | null;
  readonly durationMs: number;
  /** The beginning of the answer. */
  readonly answer: string | null;
  readonly error: string | null;
}

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
