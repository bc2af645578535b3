import type { Connection } from '../database/engine.ts';
import { query } from '../database/query.ts';
import { type EventRow, eventsAfter } from '../events/read-events.ts';
import type { Attempt } from '../webhooks/delivery.ts';
import { storesWithWebhooks, webhooksBehind } from '../webhooks/make-deliveries.ts';
import { type ClaimedDelivery, type RecordAttempt, webhooksDue } from '../webhooks/send-deliveries.ts';
import { typesOf } from '../webhooks/webhook.ts';
import type { Writer } from '../writer/writer.ts';
import type { Job } from './background.ts';
import type { WebhookSender } from './webhook-sender.ts';

const [second, minute, hour] = [1_000, 60_000, 3_600_000];
/** How long to wait after each try that failed; after the last, the delivery is given up. */
export const RETRIES = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour];
/** Each wait is longer by up to this part of it, so that many that failed together do not come back together. */
const JITTER = 0.1;
/** Longer than any try takes: what is still claimed then was left by a replica that died. */
const CLAIM_MS = 25_000;
const KEPT_MS = 7 * 24 * hour;
const MOST_UNDER_WAY = 256;
/** And of those to one webhook: while so many more would be too many, none of it are claimed. */
const MOST_OF_WEBHOOK = 8;
const CLAIMED_OF_WEBHOOK = 4;
/** Webhooks, and events of each, that deliveries are made for in one go. */
const MOST_BEHIND = 100n;
const BATCH = 100n;
const GONE = 410;
/** Tries that are told of; of a delivery that was made to start over many times, the last ones. */
const MOST_ATTEMPTS = 20;

export interface DeliveriesOptions {
  readonly db: Connection;
  readonly writer: Writer;
  readonly sender: WebhookSender;
  readonly write: (event: EventRow) => string;
  readonly now: () => number;
  /** How long it rests when nothing wakes it. */
  readonly rest?: number | undefined;
}

/**
 * Sends events to webhooks. Each webhook remembers up to where the log was turned into deliveries, and each delivery
 * is a row that is claimed while it is tried: whatever dies, nothing is missed.
 */
export class WebhookDeliveries implements Job {
  readonly name = 'webhooks';
  readonly rest: number;
  readonly #options: DeliveriesOptions;
  readonly #underWay = new Map<ClaimedDelivery, { done: Promise<void>; abort: AbortController }>();
  #stores: ReadonlySet<bigint> = new Set();
  /** The webhook that was sent to last: those with greater ids have their turn before it has another. */
  #after = '';
  #prunedAt = 0;
  readonly #ended: RecordAttempt[] = [];
  #recording: Promise<void> = Promise.resolve();
  /** Set by whoever starts the job: asks for a run soon. */
  wake: () => void = () => {};

  constructor(options: DeliveriesOptions) {
    this.#options = options;
    this.rest = options.rest ?? second;
  }

  /** For commits: only those of stores with webhooks are worth a look. */
  isAbout(storeId: bigint): boolean {
    return this.#stores.has(storeId);
  }

  async run(signal: AbortSignal): Promise<void> {
    const { db } = this.#options;
    this.#stores = new Set((await db.all(storesWithWebhooks, {})).map(({ storeId }) => storeId));
    if (this.#stores.size > 0) await this.#makeAll(signal);
    await this.#sendDue(signal);
    await this.#prune();
  }

  /** Waits for what is under way; what is not answered in time is tried again by whoever runs then. */
  async finish(): Promise<void> {
    for (const { abort } of this.#underWay.values()) abort.abort(new Error('the service stopped'));
    await Promise.all(Array.from(this.#underWay.values(), ({ done }) => done));
    await this.#options.sender.close();
  }

  /** Nothing more is sent to a webhook that is gone. */
  forget(webhookId: string): void {
    for (const [delivery, { abort }] of this.#underWay) {
      if (delivery.webhookId === webhookId) abort.abort(new Error('the webhook was deleted'));
    }
  }

  async #makeAll(signal: AbortSignal): Promise<void> {
    const { db } = this.#options;
    for (let isMore = true; isMore && !signal.aborted; ) {
      const behind = await db.all(webhooksBehind, { limit: MOST_BEHIND });
      const made = await Promise.all(behind.map((webhook) => this.#make(webhook)));
      isMore = made.some(({ isAll }) => !isAll) || BigInt(behind.length) === MOST_BEHIND;
    }
  }

  async #make(webhook: { webhookId: string; storeId: bigint; types: string; from: bigint; reached: bigint }) {
    const { db, writer, write, now } = this.#options;
    const { webhookId, storeId, from, reached } = webhook;
    const events = await db.all(eventsAfter, { storeId, after: from, limit: BATCH });
    const isAll = BigInt(events.length) < BATCH;
    const last = events.at(-1)?.revision ?? from;
    const upTo = isAll && reached > last ? reached : last;
    const types = typesOf(webhook);
    const bodies = events.filter(({ type }) => types.includes(type)).map(write);
    await writer.apply('makeDeliveries', { webhookId, from, upTo, bodies, at: BigInt(now()) });
    return { isAll };
  }

  async #sendDue(signal: AbortSignal): Promise<void> {
    const { db, writer, now } = this.#options;
    while (!signal.aborted) {
      const most = Math.floor((MOST_UNDER_WAY - this.#underWay.size) / CLAIMED_OF_WEBHOOK);
      if (most === 0) return;
      const at = BigInt(now());
      const from = { after: this.#after, at, busy: this.#busy().join(), limit: BigInt(most) };
      const webhookIds = (await db.all(webhooksDue, from)).map(({ webhookId }) => webhookId);
      this.#after = webhookIds.at(-1) ?? '';
      if (webhookIds.length === 0 && from.after === '') return;
      if (webhookIds.length === 0) continue;
      const until = at + BigInt(CLAIM_MS);
      const claimed = await writer.apply('claimDeliveries', {
        webhookIds,
        at,
        until,
        most: BigInt(CLAIMED_OF_WEBHOOK),
      });
      if (claimed.length === 0) return;
      for (const delivery of claimed) {
        const abort = new AbortController();
        const done = this.#send(delivery, abort.signal).finally(() => {
          this.#underWay.delete(delivery);
          this.wake();
        });
        this.#underWay.set(delivery, { done, abort });
      }
    }
  }

  #busy(): string[] {
    const counts = new Map<string, number>();
    for (const { webhookId } of this.#underWay.keys())
      counts.set(webhookId, (counts.get(webhookId) ?? 0) + 1);
    return [...counts]
      .filter(([, count]) => count + CLAIMED_OF_WEBHOOK > MOST_OF_WEBHOOK)
      .map(([webhookId]) => webhookId);
  }

  async #send(delivery: ClaimedDelivery, signal: AbortSignal): Promise<void> {
    const { sender, now } = this.#options;
    const { webhookId, id: deliveryId, until, body, url, secret, oldSecret, oldSecretUntil } = delivery;
    const isOverlap = oldSecret !== null && oldSecretUntil !== null && BigInt(now()) < oldSecretUntil;
    const secrets = isOverlap ? [secret, oldSecret] : [secret];
    const id = `${webhookId.replace('wh_', 'msg_')}_${deliveryId}`;
    const attempt = await sender.send({ url, id, body, secrets }, signal);
    // Nobody answered, because we left: another replica may try at once, and this was no try.
    const next = signal.aborted
      ? { status: 'pending' as const, nextAt: BigInt(now()) }
      : outcomeOf(attempt, Number(delivery.tries), now());
    const attempts = JSON.stringify([...JSON.parse(delivery.attempts), attempt].slice(-MOST_ATTEMPTS));
    const turnOff = attempt.status === GONE;
    await this.#record({ webhookId, deliveryId, until, attempts, turnOff, ...next });
  }

  /** Tries that end while others are being written down are written together. */
  #record(attempt: RecordAttempt): Promise<void> {
    this.#ended.push(attempt);
    this.#recording = this.#recording.then(async () => {
      const attempts = this.#ended.splice(0);
      // What cannot be written down is tried again when the claim has ended.
      if (attempts.length > 0)
        await this.#options.writer.apply('recordAttempts', { attempts }).catch(() => {});
    });
    return this.#recording;
  }

  async #prune(): Promise<void> {
    const { db, writer, now } = this.#options;
    if (now() - this.#prunedAt < minute) return;
    const before = BigInt(now() - KEPT_MS);
    if ((await db.all(anyOlder, { before })).length > 0) {
      const { done } = await writer.apply('pruneDeliveries', { before });
      if (!done) return this.wake();
    }
    this.#prunedAt = now();
  }
}

/** What a try means for the delivery: it arrived, is tried again, or is given up. */
export function outcomeOf({ status }: Attempt, tries: number, now: number, random = Math.random()) {
  if (status !== null && status >= 200 && status < 300) return { status: 'delivered' as const, nextAt: null };
  const wait = RETRIES[tries];
  if (status === GONE || wait === undefined) return { status: 'failed' as const, nextAt: null };
  return { status: 'pending' as const, nextAt: BigInt(Math.round(now + wait * (1 + JITTER * random))) };
}

const anyOlder = query((db, p: { before: bigint }) =>
  db.selectFrom('deliveries').select('id').where('created_at', '<', p.before).limit(1),
);
