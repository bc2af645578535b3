import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { openDeployment } from '../../src/app/open-deployment.ts';
import type { Step } from '../../src/concurrency/background-jobs.ts';
import { eventsAfter } from '../../src/events/event.ts';
import { newKey } from '../../src/keys/manage-keys.ts';
import { createPet } from '../../src/pets/save-pet.ts';
import { openStore } from '../../src/provisioning/open-store.ts';
import { advanceWebhook } from '../../src/webhooks/advance-webhook.ts';
import { createDeliveries } from '../../src/webhooks/delivery-job.ts';
import type { WebhookMessage } from '../../src/webhooks/webhook-sender.ts';
import type { Writer } from '../../src/writer/writer.ts';
import { anyEngine } from '../support/engines.ts';

const PETS = 8;

/** A run skips its remaining steps once three of them have found the database unavailable. */
describe.each(anyEngine)('webhooks of a run that skips steps, on $name', (engine) => {
  it.each([
    ['the events were read', eventsAfter],
    ['the deliveries were claimed', advanceWebhook],
  ])('because the database became unavailable after %s, are sent every event later', async (_, last) => {
    await using database = await engine.create();
    await using deployment = await openDeployment('production', database.location);
    let at = Date.now();
    const { details } = newKey('production', 'test');
    const opening = { owner: null, key: details, at: BigInt(at) };
    const { storeId } = await deployment.writer.apply(openStore, opening);
    await database.exec(
      `INSERT INTO webhooks (id, store_id, url, types, secret, active, revision, next_delivery_id, created_at, next_due)
       SELECT 'wh_1', id, 'http://127.0.0.1:1/', '', 'whsec_YQ==', 1, revision, 1, 0, 0 FROM stores WHERE id = ${storeId}`,
    );
    for (let i = 0; i < PETS; i++) {
      const pet = { name: `Pet ${i}`, category: 'dog', stock: 1n };
      await deployment.writer.apply(createPet, { storeId, ...pet, at: BigInt(at) });
    }

    let isSkipping = false;
    let isFirstRun = true;
    const skipAfter = (done: object) => {
      isSkipping ||= isFirstRun && done === last;
    };
    const writer: Writer = {
      ...deployment.writer,
      async apply(verb, args) {
        const result = await deployment.writer.apply(verb, args);
        skipAfter(verb);
        return result;
      },
    };
    const db: typeof deployment.db = {
      ...deployment.db,
      async all(query, params) {
        const rows = await deployment.db.all(query, params);
        skipAfter(query);
        return rows;
      },
    };
    const step: Step = async (work) => {
      if (!isSkipping) await work();
    };
    const sent = new Set<string>();
    const send = async ({ url, body }: WebhookMessage) => {
      sent.add(JSON.parse(body).data.name);
      return { at: '', url, status: 204, durationMs: 1, answer: null, error: null };
    };
    const log = pino({ enabled: false });
    const sender = { send, close: () => {} };
    const job = createDeliveries({ db, writer, sender, log, now: () => at, maxWebhooks: 1 });
    const run = () => job.run(new AbortController().signal, step);

    await run();
    expect([isSkipping, sent.size]).toEqual([true, 0]);
    [at, isSkipping, isFirstRun] = [at + 60_000, false, false];
    await run();
    await job.finish();
    expect(sent.size).toBe(PETS);
  });
});
