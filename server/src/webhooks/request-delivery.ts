import { findRows, updateRows } from '../database/rows.ts';
import { DomainError } from '../domain/domain-error.ts';
import { type Transaction, verb } from '../writer/verb.ts';
import { addDeliveries, type Delivery, deliveryColumns, findUnfinished, MAX_UNFINISHED } from './delivery.ts';
import { lockWebhook, type WebhookOfStore } from './manage-webhooks.ts';

type CreateTestDelivery = WebhookOfStore & { body: string; at: bigint };

export const createTestDelivery = verb('createTestDelivery', async (tx, test: CreateTestDelivery) => {
  const { id, next_delivery_id } = await lockWebhook(tx, test);
  await requireCapacity(tx, id);
  const message = { body: test.body, traceparent: tx.traceparent };
  const [created] = await addDeliveries(tx, id, next_delivery_id, [message], test.at);
  await updateRows(tx, 'webhooks', { id }, { next_delivery_id: next_delivery_id + 1n, next_due: 0n });
  return created as Delivery;
});

type Redeliver = WebhookOfStore & { deliveryId: bigint; at: bigint };

/** An unfinished delivery already counts towards the limit. */
export const redeliver = verb('redeliver', async (tx, { deliveryId, at, ...ids }: Redeliver) => {
  const { id: webhook_id } = await lockWebhook(tx, ids);
  const delivery = { webhook_id, id: deliveryId };
  const [found] = await findRows(tx, 'deliveries', delivery, ['next_at']);
  if (!found) throw new DomainError('not_found');
  if (found.next_at === null) await requireCapacity(tx, webhook_id);
  const reset = {
    status: 'pending' as const,
    tries: 0n,
    next_at: at,
    claimed_until: null,
    brought_forward: 0n,
  };
  const [requested] = await updateRows(tx, 'deliveries', delivery, reset, deliveryColumns);
  await updateRows(tx, 'webhooks', { id: webhook_id }, { next_due: 0n });
  return requested as Delivery;
});

async function requireCapacity(tx: Transaction, webhookId: string): Promise<void> {
  const { count } = await findUnfinished(tx, webhookId);
  if (count >= MAX_UNFINISHED) throw new DomainError('delivery_limit_reached');
}
