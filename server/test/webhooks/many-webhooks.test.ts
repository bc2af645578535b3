import { describe, expect, it } from 'vitest';
import type { Connection } from '../../src/database/query.ts';
import { webhooksDue } from '../../src/webhooks/advance-webhook.ts';
import {
  attemptOf,
  createWebhookSender,
  failure,
  type WebhookSender,
} from '../../src/webhooks/webhook-sender.ts';
import { engines } from '../support/engines.ts';
import { startReceiver } from '../support/receiver.ts';
import { startService } from '../support/service.ts';
import { clientOf } from '../support/v2.ts';

const OTHERS = 1_000;
const CHANGES = 5;
const MAX_ATTEMPTS = 256;
const SILENT = 'http://127.0.0.1:1/silent';

/** Attempts at the silent URL last until they are aborted. */
function silentSender() {
  const { send, close } = createWebhookSender({ allowPrivate: true });
  const sender = {
    silent: 0,
    close,
    send: (message, signal) => {
      if (message.url !== SILENT) return send(message, signal);
      sender.silent++;
      return new Promise((resolve) => {
        const end = () => resolve(attemptOf(message, 0, failure(signal?.reason)));
        signal?.addEventListener('abort', end);
      });
    },
  } satisfies WebhookSender & { silent: number };
  return sender;
}

/** Inserts webhooks of one store, each with `waiting` due deliveries. */
function insertWebhooksSql(storeId: bigint, waiting: number): string {
  const numbers = `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${OTHERS})`;
  return `INSERT INTO webhooks (id, store_id, url, types, secret, active, revision, next_delivery_id, created_at, next_due)
    ${numbers} SELECT 'wh_' || n, stores.id, '${SILENT}', '', 'whsec_YQ==', 1, stores.revision, 3, 0, ${waiting > 0 ? 1 : null}
    FROM numbers, stores WHERE stores.id = ${storeId};
    INSERT INTO deliveries (webhook_id, id, body, status, tries, attempts, next_at, created_at)
    ${numbers} SELECT 'wh_' || n, id, '{}', 'pending', 0, '[]', 1, ${Date.now()}
    FROM numbers, (SELECT 1 AS id UNION SELECT 2) AS ids WHERE id <= ${waiting}`;
}

describe.each(engines)('a change on $name, next to a thousand webhooks of another store', (engine) => {
  it.each([
    ['have nothing to send', 0],
    ['wait for a silent receiver', 2],
  ])('that %s, reads few of them', async (_, waiting) => {
    let rowsRead = 0;
    const wrap = <Db extends Connection>(db: Db): Db => ({
      ...db,
      async all(query, params) {
        const rows = await db.all(query, params);
        if ((query as object) === webhooksDue) rowsRead += rows.length;
        return rows;
      },
    });
    const sender = silentSender();
    await using receiver = await startReceiver();
    const webhooks = { allowPrivate: true, sender };
    const quotas = { webhooks: BigInt(OTHERS) };
    await using service = await startService(engine, { wrap, intervalMs: 1e9, webhooks, quotas });
    const client = clientOf(service, await service.openStore());
    const other = await service.openStore();
    await service.database.exec(insertWebhooksSql(other.storeId, waiting));
    await client('POST /v2/webhooks', { body: { url: receiver.url } });
    let delivered = 0;
    const change = async () => {
      expect((await client('PATCH /v2/pets/1', { body: { stock: delivered } })).status).toBe(200);
      await receiver.waitForMessages(++delivered);
      await service.app.idle();
    };
    do await change();
    while (waiting > 0 && sender.silent < MAX_ATTEMPTS - 1);
    rowsRead = 0;
    for (let i = 0; i < CHANGES; i++) await change();
    expect(rowsRead).toBeLessThan((CHANGES * OTHERS) / 2);
  });
});
