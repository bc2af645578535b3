import { createHmac } from 'node:crypto';
import type { AppOptions } from './app-options.ts';
import { type Job, openBackground } from './background.ts';
import { forgettingEvents } from './events/forget-events.ts';
import { givingMemoryBack } from './idle-memory.ts';
import { KeyUse } from './keys/key-use.ts';
import type { Quotas } from './quotas.ts';
import { openInspector } from './requests/inspector.ts';
import { eraseClosedStores } from './stores/end-stores.ts';
import { pruneExpired } from './stores/prune-expired.ts';
import { openRequestCounts } from './stores/request-counts.ts';
import { openDeliveries } from './webhooks/delivery-job.ts';
import { openWebhookSender } from './webhooks/webhook-sender.ts';
import type { Writer } from './writer/writer.ts';

export function openJobs(options: AppOptions, writer: Writer, quotas: Quotas, now: () => number) {
  const { db, log, secret, rateLimit } = options;
  const keyUse = new KeyUse(writer);
  const erasing = eraseClosedStores(db, writer, now);
  const pruning = pruneExpired(db, writer, now, quotas.idempotencyKeys);
  const forgetting = forgettingEvents(db, writer, now);
  const { allowPrivate = false, resolve, restMs } = options.webhooks ?? {};
  const sender = openWebhookSender({ allowPrivate, now, resolve });
  const deliveries = openDeliveries({ db, writer, sender, now, restMs });
  const seal = (who: string) => createHmac('sha256', secret).update(who).digest('base64url');
  const counts = rateLimit ? openRequestCounts({ writer, perMinute: rateLimit, seal, now }) : undefined;
  const { inspector: inspected = true } = options;
  const inspector = inspected
    ? openInspector(writer, now, inspected === true ? undefined : inspected.restMs)
    : undefined;

  const optional = [counts, inspector, ...(options.jobs ?? [])].filter((job) => job !== undefined);
  const jobs: Job[] = [keyUse, erasing, deliveries, pruning, forgetting, givingMemoryBack, ...optional];
  const failures = new Map(jobs.map(({ name }) => [name, 0]));
  const background = openBackground(jobs, (error, job) => {
    failures.set(job, (failures.get(job) ?? 0) + 1);
    log.error({ err: error, job }, 'a piece of work in the background failed; the rest goes on');
  });
  keyUse.wake = () => void background.wake(keyUse);
  deliveries.wake = () => void background.wake(deliveries);
  const ignoreCommits = writer.onCommit((reached) => {
    if ([...reached.keys()].some((storeId) => deliveries.hasWebhooks(storeId))) deliveries.wake();
  });
  return {
    keyUse,
    counts,
    inspector,
    webhooks: { allowPrivate, deliveries },
    all: jobs,
    failures,
    answersPruned: () => pruning.answersPruned,
    eraseClosed: () => background.wake(erasing),
    start: () => background.start(),
    async stop() {
      ignoreCommits();
      await background.stop();
    },
  };
}
