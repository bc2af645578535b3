import type { Job, Piece } from '../background.ts';
import type { Connection } from '../database/engine.ts';
import { eventsAfter, writeEvent } from '../events/event.ts';
import { FairShares } from '../fair-shares.ts';
import type { Writer } from '../writer/writer.ts';
import {
  type ClaimedDelivery,
  claimDeliveries,
  type DueWebhook,
  hastenDeliveries,
  recordAttempt,
  webhooksDue,
} from './claim-deliveries.ts';
import { GONE, outcomeOf, withAttempt } from './delivery.ts';
import {
  EVENTS_AT_ONCE,
  type Message,
  makeDeliveries,
  storesWithWebhooks,
  type WebhookBehind,
  webhooksBehind,
} from './make-deliveries.ts';
import { typesOf } from './webhook.ts';
import type { WebhookMessage, WebhookSender } from './webhook-sender.ts';

const WEBHOOKS_AT_ONCE = 64n;
/** Longer than any try takes: a claim that is older was left by a replica that died. */
const CLAIM_MS = 25_000n;
const MOST_TRIES_OF_WEBHOOK = 8;
/** Tries under way at a time. Beyond them, only a tenant with less than an equal share begins another. */
const MOST_TRIES = 256;

export interface DeliveryJobOptions {
  readonly db: Connection;
  readonly writer: Writer;
  readonly sender: WebhookSender;
  readonly now: () => number;
  readonly restMs?: number | undefined;
}

/**
 * Sends events to webhooks. An event becomes a delivery for each webhook, which remembers up to where the log was turned into
 * them. A delivery waits until it is due, is claimed by one replica, and tried: then it has arrived, waits again, or is
 * given up. Whatever dies, nothing is missed: what is claimed for too long is due again.
 */
export class DeliveryJob implements Job {
  readonly name = 'webhooks';
  readonly restMs: number;
  /** Outcomes of tries so far: `pending` are those that failed and are made again. */
  readonly tried = { delivered: 0, pending: 0, failed: 0 };
  readonly #options: DeliveryJobOptions;
  readonly #underWay = new Map<ClaimedDelivery, Promise<void>>();
  readonly #shares = new FairShares(MOST_TRIES);
  readonly #stopping = new AbortController();
  #stores: ReadonlySet<bigint> = new Set();
  #lastRun = Number.POSITIVE_INFINITY;
  /** Set by whoever starts the job: asks for a run soon. */
  wake: () => void = () => {};

  constructor(options: DeliveryJobOptions) {
    this.#options = options;
    this.restMs = options.restMs ?? 1_000;
  }

  hasWebhooks(storeId: bigint): boolean {
    return this.#stores.has(storeId);
  }

  async run(signal: AbortSignal, piece: Piece): Promise<void> {
    const stores = await this.#options.db.all(storesWithWebhooks, {});
    this.#stores = new Set(stores.map(({ storeId }) => storeId));
    if (stores.length > 0) {
      await piece(() => this.#hastenIfClockWentBack());
      await piece(() => this.#makeAll(signal, piece));
    }
    await piece(() => this.#sendAll(signal, piece));
  }

  /** Tries that are not answered yet are made again by another replica, or after the next start. */
  async finish(): Promise<void> {
    this.#stopping.abort(new Error('the service stopped'));
    await Promise.all(this.#underWay.values());
    this.#options.sender.close();
  }

  /** Also at the first run: the clock may have gone back while the service was stopped. */
  async #hastenIfClockWentBack(): Promise<void> {
    const [before, at] = [this.#lastRun, this.#options.now()];
    this.#lastRun = at;
    if (at < before) await this.#options.writer.apply(hastenDeliveries, { at: BigInt(at) });
  }

  /** Makes deliveries until no webhook is behind, or none can be brought further. */
  async #makeAll(signal: AbortSignal, piece: Piece): Promise<void> {
    for (let isMore = true; isMore && !signal.aborted; ) {
      isMore = false;
      const make = async (webhook: WebhookBehind) => {
        await this.#make(webhook, piece);
        isMore = true;
      };
      const behind = await this.#options.db.all(webhooksBehind, { limit: WEBHOOKS_AT_ONCE });
      await Promise.all(behind.map((webhook) => piece(() => make(webhook))));
    }
  }

  /** An event that cannot be shown is left out: the others are not kept waiting for it. */
  async #make(webhook: WebhookBehind, piece: Piece): Promise<void> {
    const { db, writer, now } = this.#options;
    const { webhookId, storeId, from, reached } = webhook;
    const events = await db.all(eventsAfter, { storeId, after: from, limit: EVENTS_AT_ONCE });
    const last = events.at(-1)?.revision ?? from;
    // With all events read, the rest of the revisions up to `reached` have none.
    const upTo = BigInt(events.length) < EVENTS_AT_ONCE && reached > last ? reached : last;
    const types = typesOf(webhook);
    const messages: Message[] = [];
    for (const event of events.filter(({ type }) => types.includes(type)))
      await piece(async () => messages.push({ body: writeEvent(event), traceparent: event.traceparent }));
    await writer.apply(makeDeliveries, { webhookId, from, upTo, messages, at: BigInt(now()) });
  }

  async #sendAll(signal: AbortSignal, piece: Piece): Promise<void> {
    const { db, now } = this.#options;
    let due: DueWebhook[] = [];
    do {
      const after = due.at(-1)?.webhookId ?? '';
      due = await db.all(webhooksDue, { after, at: BigInt(now()), limit: WEBHOOKS_AT_ONCE });
      // Whoever has the fewest under way comes first, so that none waits behind another that is slow.
      const fewestFirst = due
        .map((webhook) => ({ ...webhook, underWay: this.#countOf(webhook.webhookId) }))
        .sort((a, b) => a.underWay - b.underWay);
      await Promise.all(fewestFirst.map((webhook) => piece(() => this.#claim(webhook, piece))));
    } while (BigInt(due.length) === WEBHOOKS_AT_ONCE && !signal.aborted);
  }

  #countOf(webhookId: string): number {
    return [...this.#underWay.keys()].filter(({ webhook_id }) => webhook_id === webhookId).length;
  }

  /** Takes a share for each delivery that it may claim, and gives back those for which there was none. */
  async #claim(
    { webhookId, tenantId, underWay }: DueWebhook & { underWay: number },
    piece: Piece,
  ): Promise<void> {
    const { writer, now } = this.#options;
    let shares = 0;
    while (underWay + shares < MOST_TRIES_OF_WEBHOOK && this.#shares.take(tenantId)) shares++;
    if (shares === 0) return;
    const at = BigInt(now());
    const wanted = { webhookId, most: BigInt(shares), at, until: at + CLAIM_MS };
    try {
      for (const delivery of await writer.apply(claimDeliveries, wanted)) {
        this.#start(delivery, tenantId, piece);
        shares--;
      }
    } finally {
      for (; shares > 0; shares--) this.#shares.giveBack(tenantId);
    }
  }

  #start(delivery: ClaimedDelivery, tenantId: bigint, piece: Piece): void {
    const sent = piece(() => this.#send(delivery)).then(() => {
      this.#underWay.delete(delivery);
      this.#shares.giveBack(tenantId);
      this.wake();
    });
    this.#underWay.set(delivery, sent);
  }

  async #send(delivery: ClaimedDelivery): Promise<void> {
    const { sender, writer, now } = this.#options;
    const { store_id: storeId, webhook_id, id, next_at } = delivery;
    const { signal } = this.#stopping;
    const attempt = await sender.send(messageOf(delivery, now()), signal);
    // Nobody answered, because we left: another replica may try at once.
    const { status, nextAt } = signal.aborted
      ? { status: 'pending' as const, nextAt: BigInt(now()) }
      : outcomeOf(attempt, Number(delivery.tries), now());
    if (!signal.aborted) this.tried[status]++;
    const tries = delivery.tries + 1n;
    const outcome = {
      storeId,
      claimed: { webhook_id, id, next_at },
      tried: { status, tries, attempts: withAttempt(delivery, attempt), next_at: nextAt },
      turnOff: attempt.status === GONE,
    };
    // A try that cannot be recorded is made again when the claim has ended.
    await writer.apply(recordAttempt, outcome).catch(() => {});
  }
}

function messageOf(delivery: ClaimedDelivery, now: number): WebhookMessage {
  const { webhook_id, url, body, secret, old_secret, old_secret_until, traceparent } = delivery;
  const id = `${webhook_id.replace('wh_', 'msg_')}_${delivery.id}`;
  const isOverlap = old_secret !== null && old_secret_until !== null && now < old_secret_until;
  return { url, id, body, secrets: isOverlap ? [secret, old_secret] : [secret], traceparent };
}
