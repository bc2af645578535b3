import type { Delivery, EventTypeInput, Webhook, WebhookWithSecret } from '../../../client/src/index.ts';
import type { Call } from '../command-group.ts';
import { clientOf } from '../connection.ts';
import { showListing } from '../listing.ts';
import { int64From } from '../numbers.ts';
import { type Column, exitWhenReaderCloses, Rows, show, utc } from '../output.ts';

const columns: readonly Column<Webhook>[] = [
  ['ID', ({ id }) => id],
  ['ACTIVE', ({ active }) => (active ? 'yes' : 'no')],
  ['TYPES', ({ types }) => types.join(',')],
  ['URL', ({ url }) => url],
];
const withSecret: readonly Column<WebhookWithSecret>[] = [...columns, ['SECRET', ({ secret }) => secret]];

const deliveryColumns: readonly Column<Delivery>[] = [
  ['ID', ({ id }) => id],
  ['EVENT', ({ event }) => event.type],
  ['STATUS', ({ status }) => status],
  ['ATTEMPTS', ({ attempts }) => attempts.length],
  ['LAST RESPONSE', ({ attempts }) => attempts.at(-1)?.status ?? attempts.at(-1)?.error],
  ['NEXT', ({ nextAttemptAt }) => utc(nextAttemptAt)],
];

export const listWebhooks = exitWhenReaderCloses(async (call) => {
  const rows = new Rows(columns, call, 'webhooks');
  await rows.write(await clientOf(call).webhooks.list());
  await rows.end();
});

/** The only time the secret is printed. */
export async function createWebhook(call: Call): Promise<void> {
  const { types } = call.values;
  const some = types === undefined ? {} : { types: String(types).split(',') as EventTypeInput[] };
  const webhook = { url: call.args[0] ?? '', ...some };
  await show(await clientOf(call).webhooks.create(webhook), withSecret, call);
}

export async function deleteWebhook(call: Call): Promise<void> {
  await clientOf(call).webhooks.delete(call.args[0] ?? '');
}

export async function testWebhook(call: Call): Promise<void> {
  await show(await clientOf(call).webhooks.test(call.args[0] ?? ''), deliveryColumns, call);
}

export const listDeliveries = exitWhenReaderCloses(async (call) => {
  const { webhooks } = clientOf(call);
  const list = (limit: number) => webhooks.deliveries(call.args[0] ?? '', { limit });
  await showListing('deliveries', call, deliveryColumns, list);
});

export async function redeliver(call: Call): Promise<void> {
  const [webhook = '', delivery] = call.args;
  const id = int64From('delivery ID', delivery);
  await show(await clientOf(call).webhooks.redeliver(webhook, id), deliveryColumns, call);
}
