import type { Logger } from 'pino';
import type { Step } from '../concurrency/background-jobs.ts';
import { fairShareLimit } from '../concurrency/fair-share-limit.ts';
import type { Connection } from '../database/query.ts';
import { findRows } from '../database/rows.ts';
import { ignoreDomainErrors } from '../domain/domain-error.ts';
import { eventsAfter, writeEvent } from '../events/event.ts';
import { MAX_EVENTS } from '../events/event-retention.ts';
import type { Writer } from '../writer/writer.ts';
import { advanceWebhook, type ClaimedDelivery, type DueWebhook, MAX_IN_FLIGHT } from './advance-webhook.ts';
import {
  type Attempt,
  findUnfinished,
  GONE,
  MAX_UNFINISHED,
  type Message,
  outcomeOf,
  withAttempt,
} from './delivery.ts';
import { createDueWebhooks } from './due-webhooks.ts';
import {
  CLOCK_TOLERANCE_MS,
  EXPIRY_BATCH,
  expireDeliveries,
  markDue,
  nextWebhooks,
  resetFutureDueTimes,
} from './maintain-deliveries.ts';
import { typesOf } from './manage-webhooks.ts';
import { recordAttempt } from './record-attempt.ts';
import type { WebhookMessage, WebhookSender } from './webhook-sender.ts';

const EVENT_BATCH = 100n;
/** Attempts in flight. Beyond this, only tenants below their fair share start another. */
const MAX_ATTEMPTS = 256;
/** Beyond this, each webhook of the tenant may have one attempt, so that a hanging receiver delays no other. */
const MAX_ATTEMPTS_PER_TENANT = 16;
const MAINTENANCE_INTERVAL_MS = 10_000;

/** Why events were given up: all tries failed, the receiver responded 410, or the delivery or the event became too old. */
type Reason = 'retries' | 'gone' | 'expired' | 'log_limit';

interface Options {
  readonly db: Connection;
  readonly writer: Writer;
  readonly sender: WebhookSender;
  readonly now: () => number;
  readonly log: Logger;
  readonly intervalMs?: number | undefined;
  /** Per store. */
  readonly maxWebhooks: number;
}

/**
 * Sends events to webhooks. A change marks the webhooks of its store as due. Advancing a due webhook creates deliveries from
 * the change log, up to a limit of unfinished ones, then claims and attempts those that are due. An attempt delivers,
 * schedules a retry or gives up. If a replica dies, its claims expire and the deliveries are due again on schedule.
 */
export function createDeliveries({ db, writer, sender, now, log, intervalMs = 1_000, maxWebhooks }: Options) {
  /** By outcome; `pending` counts the attempts that are retried. */
  const attemptCounts = { delivered: 0, pending: 0, failed: 0 };
  const givenUp: Record<Reason, number> = { retries: 0, gone: 0, expired: 0, log_limit: 0 };
  const inFlight = new Set<ClaimedDelivery>();
  /** Attempts that are in flight or not yet recorded. */
  const unrecorded = new Set<Promise<void>>();
  const attemptLimit = fairShareLimit(MAX_ATTEMPTS);
  const stopping = new AbortController();
  /** So that the first run always checks: the clock may have gone back while the service was stopped. */
  let lastRun = Number.POSITIVE_INFINITY;
  let lastMaintenance = Number.NEGATIVE_INFINITY;
  let lastChecked = '';
  const dueWebhooks = createDueWebhooks(db, now);

  function giveUp(webhook: string, reason: Reason, events: number): void {
    if (events === 0) return;
    givenUp[reason] += events;
    log.warn({ webhook, reason, events }, 'webhook events abandoned');
  }

  async function resetIfClockWentBack(signal: AbortSignal): Promise<void> {
    const at = now();
    let after: string | undefined = lastRun - at > CLOCK_TOLERANCE_MS ? '' : undefined;
    while (after !== undefined && !signal.aborted)
      after = await writer.apply(resetFutureDueTimes, { at: BigInt(at), after });
    lastRun = at;
  }

  async function maintain(signal: AbortSignal, step: Step): Promise<void> {
    if (performance.now() - lastMaintenance < MAINTENANCE_INTERVAL_MS) return;
    lastMaintenance = performance.now();
    await step(() => expireAll(signal));
    await step(markUnmarked);
  }

  async function expireAll(signal: AbortSignal): Promise<void> {
    for (let expired = EXPIRY_BATCH; expired === EXPIRY_BATCH && !signal.aborted; ) {
      const deleted = await writer.apply(expireDeliveries, { at: BigInt(now()) });
      const unfinished = deleted.filter(({ isUnfinished }) => isUnfinished === 1n);
      for (const [webhook, all] of Map.groupBy(unfinished, ({ webhookId }) => webhookId))
        giveUp(webhook, 'expired', all.length);
      expired = deleted.length;
    }
  }

  async function markUnmarked(): Promise<void> {
    const checked = await db.all(nextWebhooks, { after: lastChecked, at: BigInt(now()) });
    lastChecked = checked.at(-1)?.id ?? '';
    for (const { id, isUnmarked } of checked)
      if (isUnmarked === 1n) await writer.apply(markDue, { webhookId: id });
  }

  async function advancePage(page: readonly DueWebhook[], isNew: boolean, step: Step): Promise<boolean> {
    // Webhooks with the fewest attempts in flight come first, so that none waits behind a slow one.
    const attempts = Map.groupBy(inFlight, ({ webhook_id }) => webhook_id);
    const fewestFirst = page
      .map((webhook) => ({ ...webhook, isNew, inFlight: attempts.get(webhook.webhookId)?.length ?? 0 }))
      .sort((a, b) => a.inFlight - b.inFlight);
    let hasMore = false;
    const advanceOne = async (webhook: (typeof fewestFirst)[number]) => {
      if (await advance(webhook, step)) hasMore = true;
    };
    await Promise.all(
      fewestFirst.map((webhook) => step(() => advanceOne(webhook).catch(ignoreDomainErrors))),
    );
    return hasMore;
  }

  /** Returns whether the change log has more events for the webhook. */
  async function advance(
    webhook: DueWebhook & { isNew: boolean; inFlight: number },
    step: Step,
  ): Promise<boolean> {
    const { storeId, webhookId, tenantId, types, webhookRevision, isNew, nextDue } = webhook;
    // Acquires one permit for each delivery that may be claimed, and releases the unused ones.
    let acquired = 0;
    const left = MAX_ATTEMPTS_PER_TENANT - attemptLimit.count(tenantId);
    // Beyond the limit, no more attempts than webhooks: attempts of deleted webhooks count, so replacing webhooks adds none.
    const mayExceedLimit = webhook.inFlight === 0 && left + maxWebhooks > 0;
    const limit = Math.min(Math.max(left, mayExceedLimit ? 1 : 0), MAX_IN_FLIGHT - webhook.inFlight);
    while (acquired < limit && attemptLimit.tryAcquire(tenantId)) acquired++;
    try {
      if (acquired === 0 && !isNew) return false;
      const events = await nextEvents(webhook, step);
      // Without permits and events, advancing only replaces a `next_due` of 0, with which every round would visit the webhook as new.
      if (acquired === 0 && !events && nextDue > 0n) return false;
      const { claimed, exhausted, lost, hasMore } = await writer.apply(advanceWebhook, {
        storeId,
        webhookId,
        types,
        webhookRevision,
        events,
        limit: acquired,
        at: BigInt(now()),
      });
      giveUp(webhookId, 'retries', exhausted);
      giveUp(webhookId, 'log_limit', lost);
      for (const delivery of claimed) {
        start(delivery, tenantId, step);
        acquired--;
      }
      return hasMore;
    } finally {
      for (; acquired > 0; acquired--) attemptLimit.release(tenantId);
    }
  }

  /**
   * Reads new events up to the limit of unfinished deliveries. Skips an event that cannot be serialized, so that it blocks no
   * others. Returns none of them if the run skips its remaining steps: the next run reads them again.
   */
  async function nextEvents(webhook: DueWebhook, step: Step) {
    const { storeId, webhookId, webhookRevision, storeRevision } = webhook;
    if (webhookRevision >= storeRevision) return undefined;
    const capacity = MAX_UNFINISHED - (await findUnfinished(db, webhookId)).count;
    const limit = capacity < EVENT_BATCH ? capacity : EVENT_BATCH;
    if (limit <= 0n) return undefined;
    const events = await db.all(eventsAfter, { storeId, after: webhookRevision, limit });
    const last = events.at(-1)?.revision ?? webhookRevision;
    // If all events were read, the remaining revisions up to `storeRevision` have none.
    const upTo = BigInt(events.length) < limit && storeRevision > last ? storeRevision : last;
    const types = typesOf(webhook);
    const messages: Message[] = [];
    for (const event of events.filter(({ type }) => types.includes(type))) {
      let isSkipped = true;
      await step(async () => {
        isSkipped = false;
        messages.push({ body: writeEvent(event), traceparent: event.traceparent });
      });
      if (isSkipped) return undefined;
    }
    const first = events[0]?.revision ?? upTo + 1n;
    return { upTo, messages, lost: await countLost(storeId, webhookRevision, first) };
  }

  /** Events after revision `after` and before `first` that were pruned. Capped at the log's size, because a restore skips revisions. */
  async function countLost(storeId: bigint, after: bigint, first: bigint): Promise<number> {
    if (first === after + 1n) return 0;
    const [store] = await findRows(db, 'stores', { id: storeId }, ['events_forgotten']);
    const forgotten = store?.events_forgotten ?? 0n;
    const upTo = forgotten < first ? forgotten : first - 1n;
    return Math.min(Math.max(Number(upTo - after), 0), Number(MAX_EVENTS));
  }

  function start(delivery: ClaimedDelivery, tenantId: bigint, step: Step): void {
    inFlight.add(delivery);
    const sent = step(() => send(delivery, tenantId)).then(() => {
      // If the run skipped the step, the claim expires and the next try follows on schedule.
      release(delivery, tenantId);
      unrecorded.delete(sent);
      job.wake();
    });
    unrecorded.add(sent);
  }

  function release(delivery: ClaimedDelivery, tenantId: bigint): void {
    if (inFlight.delete(delivery)) attemptLimit.release(tenantId);
  }

  /** Releases the permit before the attempt is recorded: recording can make a delivery due, and claiming that needs a permit. */
  async function makeAttempt(delivery: ClaimedDelivery, tenantId: bigint): Promise<Attempt> {
    try {
      return await sender.send(messageOf(delivery, now()), stopping.signal);
    } finally {
      release(delivery, tenantId);
    }
  }

  async function send(delivery: ClaimedDelivery, tenantId: bigint): Promise<void> {
    const { store_id: storeId, webhook_id, id, next_at, claimed_until, tries } = delivery;
    const { signal } = stopping;
    const attempt = await makeAttempt(delivery, tenantId);
    const attempts = withAttempt(delivery, attempt);
    // A shutdown aborted the attempt: it does not count, and another replica may try at once.
    const isAborted = signal.aborted && attempt.status === null;
    const at = BigInt(now());
    const { status, nextAt } = isAborted
      ? { status: 'pending' as const, nextAt: at }
      : outcomeOf(attempt, Number(tries) - 1, now());
    if (!isAborted) attemptCounts[status]++;
    const isDeactivated = attempt.status === GONE;
    const recorded = writer.apply(recordAttempt, {
      storeId,
      claimed: { webhook_id, id, next_at, claimed_until },
      outcome: { status, tries: isAborted ? tries - 1n : tries, attempts, next_at: nextAt },
      goneUrl: isDeactivated ? delivery.url : undefined,
      at,
    });
    // If recording fails, the claim expires and the next try follows on schedule.
    const isRecorded = await recorded.catch(() => false);
    if (isRecorded && status === 'failed') giveUp(webhook_id, isDeactivated ? 'gone' : 'retries', 1);
  }

  const job = {
    name: 'webhooks',
    intervalMs,
    attemptCounts,
    givenUp,
    /** Set when the job is started: requests a run soon. */
    wake: () => {},

    async run(signal: AbortSignal, step: Step): Promise<void> {
      await step(() => resetIfClockWentBack(signal));
      await maintain(signal, step);
      const advance = (page: readonly DueWebhook[], isNew: boolean) => advancePage(page, isNew, step);
      await step(async () => {
        while (!signal.aborted && (await dueWebhooks.visit(signal, advance)));
      });
    },

    /** Aborts attempts without a response: another replica repeats them, or this one after a restart. */
    async finish(): Promise<void> {
      stopping.abort(new Error('the service stopped'));
      await Promise.all(unrecorded);
      sender.close();
    },
  };
  return job;
}

function messageOf(delivery: ClaimedDelivery, now: number): WebhookMessage {
  const { webhook_id, url, body, secret, old_secret, old_secret_until, traceparent } = delivery;
  const id = `${webhook_id.replace('wh_', 'msg_')}_${delivery.id}`;
  const isOverlap = old_secret !== null && old_secret_until !== null && now < old_secret_until;
  return { url, id, body, secrets: isOverlap ? [secret, old_secret] : [secret], traceparent, at: now };
}
