import { createHmac } from 'node:crypto';
import type { Logger } from 'pino';
import { type Job, startBackgroundJobs } from '../concurrency/background-jobs.ts';
import { type Database, Unavailable } from '../database/engine.ts';
import type { Quotas } from '../domain/quotas.ts';
import { eventRetention } from '../events/event-retention.ts';
import type { Caller } from '../http/server/request.ts';
import { createKeyUse } from '../keys/key-use.ts';
import { createRequestCounts } from '../rate-limiting/limit-requests.ts';
import { createInspector } from '../requests/inspector.ts';
import { eraseClosedStores } from '../stores/end-stores.ts';
import { pruneExpired } from '../stores/prune-expired.ts';
import { createDeliveries } from '../webhooks/delivery-job.ts';
import { openSenderThread } from '../webhooks/sender-thread.ts';
import type { WebhookSender } from '../webhooks/webhook-sender.ts';
import type { Writer } from '../writer/writer.ts';

export interface JobOptions {
  readonly db: Database;
  /** Signs what clients store for the service; the same on every replica. */
  readonly secret: string;
  readonly log: Logger;
  readonly rateLimit?: number | undefined;
  readonly webhooks?: { readonly allowPrivate?: boolean; readonly sender?: WebhookSender };
  readonly inspector?: boolean;
  /** Interval between runs of deliveries and of the inspector. */
  readonly intervalMs?: number;
  readonly jobs?: readonly Job[];
}

export function createJobs(
  options: JobOptions & { readonly quotas: Quotas },
  writer: Writer,
  now: () => number,
) {
  const { db, log, secret, quotas, intervalMs } = options;
  const keyUse = createKeyUse(writer);
  const erasing = eraseClosedStores(db, writer, now);
  const pruning = pruneExpired(db, writer, now);
  const retention = eventRetention(db, writer, now);
  const { allowPrivate = false, sender = openSenderThread({ allowPrivate }) } = options.webhooks ?? {};
  const maxWebhooks = Number(quotas.webhooks);
  const deliveries = createDeliveries({ db, writer, sender, now, log, intervalMs, maxWebhooks });
  const pseudonymize = (subject: string) => createHmac('sha256', secret).update(subject).digest('base64url');
  const counts = createRequestCounts({ writer, pseudonymize, now });
  const inspector = options.inspector === false ? undefined : createInspector(writer, now, intervalMs);

  const optional = [inspector, ...(options.jobs ?? [])].filter((job) => job !== undefined);
  const jobs: Job[] = [keyUse, erasing, deliveries, pruning, retention, counts, ...optional];
  const failures = new Map(jobs.map(({ name }) => [name, 0]));
  const { start, wake, idle, stop } = startBackgroundJobs(jobs, {
    onFailure(error, job, isRepeated) {
      failures.set(job, (failures.get(job) ?? 0) + 1);
      if (!isRepeated)
        log.error({ err: error, job }, 'a step of a background job failed; the other steps continue');
    },
    isUnavailable: (error) => error instanceof Unavailable,
  });
  deliveries.wake = () => void wake(deliveries);
  writer.onCommit((_, __, hasDueWebhooks) => {
    if (hasDueWebhooks) deliveries.wake();
  });
  return {
    keyUse,
    /** The first use of a key is saved at once, so that the console shows it. */
    recordUse({ keyId, lastUsedAt }: Caller): void {
      keyUse.record(keyId, now());
      if (lastUsedAt === null) void wake(keyUse);
    },
    counts,
    inspector,
    webhooks: { allowPrivate, deliveries },
    all: jobs,
    failures,
    responsesPruned: () => pruning.responsesPruned,
    eraseClosed: () => wake(erasing),
    start,
    idle,
    stop,
  };
}
