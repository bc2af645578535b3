import type { Connection } from '../database/engine.ts';
import { FairShares } from '../fair-shares.ts';
import type { Piece } from '../writer/background.ts';
import type { Writer } from '../writer/writer.ts';
import { type Attempt, withAttempt } from './delivery.ts';
import {
  type ClaimedDelivery,
  claimDeliveries,
  type DueWebhook,
  type RecordAttempt,
  recordAttempts,
  webhooksDue,
} from './send-deliveries.ts';
import type { WebhookSender } from './webhook-sender.ts';

const [second, minute, hour] = [1_000, 60_000, 3_600_000];
/** How long to wait after each try that failed; after the last, the delivery is given up. */
export const RETRIES = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour];
/** Each wait is longer by up to this part of it, so that many that failed together do not come back together. */
const JITTER = 0.1;
/** Longer than any try takes: what is still claimed then was left by a replica that died. */
const CLAIM_MS = 25_000;
/** Of all stores; beyond that, a store gets what is missing of an equal share. */
const MOST_UNDER_WAY = 256;
/** And of those to one webhook: while so many more would be too many, none of it are claimed. */
const MOST_OF_WEBHOOK = 8;
const CLAIMED_OF_WEBHOOK = 4;
/** Webhooks that are looked at in one go. */
const MOST_DUE = 64n;
const GONE = 410;

export interface SendingOptions {
  readonly db: Connection;
  readonly writer: Writer;
  readonly sender: WebhookSender;
  readonly now: () => number;
  /** There may be room for others. */
  readonly onSent: () => void;
}

/** Deliveries that this process claimed and is sending, a few of each webhook and a fair share of each store. */
export class DeliveriesUnderWay {
  readonly #options: SendingOptions;
  readonly #underWay = new Map<ClaimedDelivery, { done: Promise<void>; abort: AbortController }>();
  readonly #shares = new FairShares(MOST_UNDER_WAY);
  /** The webhook that was sent to last: those with greater ids have their turn before it has another. */
  #after = '';
  readonly #ended: RecordAttempt[] = [];
  /** What came of tries so far: `pending` are those that failed and are made again. */
  readonly tried = { delivered: 0, pending: 0, failed: 0 };
  #recording: Promise<void> = Promise.resolve();

  constructor(options: SendingOptions) {
    this.#options = options;
  }

  /** Goes round the webhooks that have something due, until it has been past all of them and none got anything. */
  async sendDue(signal: AbortSignal, piece: Piece): Promise<void> {
    const { db, now } = this.#options;
    for (let rounds = 0; rounds < 2 && !signal.aborted; ) {
      const from = { after: this.#after, at: BigInt(now()), busy: this.#busy().join(), limit: MOST_DUE };
      const due = await db.all(webhooksDue, from);
      this.#after = due.at(-1)?.webhookId ?? '';
      if (due.length === 0) rounds++;
      else if (await this.#claim(due, piece)) rounds = 0;
    }
  }

  /** Nothing more is sent to a webhook that is gone. */
  forget(webhookId: string): void {
    for (const [delivery, { abort }] of this.#underWay) {
      if (delivery.webhookId === webhookId) abort.abort(new Error('the webhook was deleted'));
    }
  }

  /** Waits for what is under way; what is not answered in time is tried again by whoever runs then. */
  async finish(): Promise<void> {
    for (const { abort } of this.#underWay.values()) abort.abort(new Error('the service stopped'));
    await Promise.all(Array.from(this.#underWay.values(), ({ done }) => done));
  }

  /** Claims and sends what these webhooks may be sent now; false if that is nothing. */
  async #claim(due: readonly DueWebhook[], piece: Piece): Promise<boolean> {
    const { writer, now } = this.#options;
    const wanted = due
      .map((webhook) => ({ ...webhook, most: BigInt(this.#takeShare(webhook.tenantId)) }))
      .filter(({ most }) => most > 0n);
    if (wanted.length === 0) return false;
    const at = BigInt(now());
    let claimed: readonly ClaimedDelivery[] = [];
    try {
      claimed = await writer.apply(claimDeliveries, { wanted, at, until: at + BigInt(CLAIM_MS) });
    } finally {
      for (const { webhookId, tenantId, most } of wanted) {
        const own = claimed.filter((delivery) => delivery.webhookId === webhookId);
        for (const delivery of own) this.#start(delivery, tenantId, piece);
        for (let unused = Number(most) - own.length; unused > 0; unused--) this.#shares.giveBack(tenantId);
      }
    }
    return claimed.length > 0;
  }

  #takeShare(tenantId: bigint): number {
    let taken = 0;
    while (taken < CLAIMED_OF_WEBHOOK && this.#shares.take(tenantId)) taken++;
    return taken;
  }

  #busy(): string[] {
    const counts = new Map<string, number>();
    for (const { webhookId } of this.#underWay.keys())
      counts.set(webhookId, (counts.get(webhookId) ?? 0) + 1);
    return [...counts]
      .filter(([, count]) => count + CLAIMED_OF_WEBHOOK > MOST_OF_WEBHOOK)
      .map(([webhookId]) => webhookId);
  }

  #start(delivery: ClaimedDelivery, tenantId: bigint, piece: Piece): void {
    const abort = new AbortController();
    const done = piece(() => this.#send(delivery, abort.signal)).then(() => {
      this.#underWay.delete(delivery);
      this.#shares.giveBack(tenantId);
      this.#options.onSent();
    });
    this.#underWay.set(delivery, { done, abort });
  }

  async #send(delivery: ClaimedDelivery, signal: AbortSignal): Promise<void> {
    const { sender, now } = this.#options;
    const { webhookId, id: deliveryId, until, url, body, traceparent } = delivery;
    const { secret, oldSecret, oldSecretUntil } = delivery;
    const isOverlap = oldSecret !== null && oldSecretUntil !== null && BigInt(now()) < oldSecretUntil;
    const secrets = isOverlap ? [secret, oldSecret] : [secret];
    const id = `${webhookId.replace('wh_', 'msg_')}_${deliveryId}`;
    const attempt = await sender.send({ url, id, body, secrets, traceparent }, signal);
    // Nobody answered, because we left: another replica may try at once, and this was no try.
    const next = signal.aborted
      ? { status: 'pending' as const, nextAt: BigInt(now()) }
      : outcomeOf(attempt, Number(delivery.tries), now());
    if (!signal.aborted) this.tried[next.status]++;
    const attempts = withAttempt(delivery, attempt);
    const turnOff = attempt.status === GONE;
    await this.#record({ webhookId, deliveryId, until, attempts, turnOff, ...next });
  }

  /** Tries that end while others are being written down are written together. */
  #record(attempt: RecordAttempt): Promise<void> {
    this.#ended.push(attempt);
    this.#recording = this.#recording.then(async () => {
      const attempts = this.#ended.splice(0);
      // What cannot be written down is tried again when the claim has ended.
      if (attempts.length > 0) await this.#options.writer.apply(recordAttempts, { attempts }).catch(() => {});
    });
    return this.#recording;
  }
}

/** What a try means for the delivery: it arrived, is tried again, or is given up. */
export function outcomeOf({ status }: Attempt, tries: number, now: number, random = Math.random()) {
  if (status !== null && status >= 200 && status < 300) return { status: 'delivered' as const, nextAt: null };
  const wait = RETRIES[tries];
  if (status === GONE || wait === undefined) return { status: 'failed' as const, nextAt: null };
  return { status: 'pending' as const, nextAt: BigInt(Math.round(now + wait * (1 + JITTER * random))) };
}
