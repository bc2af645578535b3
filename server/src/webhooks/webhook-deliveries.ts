import type { Connection } from '../database/engine.ts';
import { query } from '../database/query.ts';
import { type EventRow, eventsAfter } from '../events/read-events.ts';
import type { Job, Piece } from '../writer/background.ts';
import type { Writer } from '../writer/writer.ts';
import { DeliveriesUnderWay } from './deliveries-under-way.ts';
import {
  MADE_AT_ONCE,
  type MakeDeliveries,
  makeDeliveries,
  storesWithWebhooks,
  type WebhookBehind,
  webhooksBehind,
} from './make-deliveries.ts';
import { anyAhead, hastenDeliveries, LONGEST_WAIT_MS, pruneDeliveries } from './send-deliveries.ts';
import { typesOf } from './webhook.ts';
import type { WebhookSender } from './webhook-sender.ts';

const MINUTE_MS = 60_000;
const KEPT_MS = 7 * 24 * 60 * MINUTE_MS;
/** Webhooks that deliveries are made for in one go. */
const MOST_BEHIND = 100n;

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
  readonly #sending: DeliveriesUnderWay;
  #stores: ReadonlySet<bigint> = new Set();
  #prunedAt = 0;
  /** When it last ran. */
  #lastRun = Number.POSITIVE_INFINITY;
  /** Set by whoever starts the job: asks for a run soon. */
  wake: () => void = () => {};

  constructor(options: DeliveriesOptions) {
    this.#options = options;
    this.#sending = new DeliveriesUnderWay({ ...options, onSent: () => this.wake() });
    this.rest = options.rest ?? 1_000;
  }

  get tried() {
    return this.#sending.tried;
  }

  /** For commits: only those of stores with webhooks are worth a look. */
  isAbout(storeId: bigint): boolean {
    return this.#stores.has(storeId);
  }

  async run(signal: AbortSignal, piece: Piece): Promise<void> {
    const { db } = this.#options;
    this.#stores = new Set((await db.all(storesWithWebhooks, {})).map(({ storeId }) => storeId));
    await piece(() => this.#mindClock());
    if (this.#stores.size > 0) await piece(() => this.#makeAll(signal, piece));
    await piece(() => this.#sending.sendDue(signal, piece));
    await piece(() => this.#prune());
  }

  async finish(): Promise<void> {
    await this.#sending.finish();
    await this.#options.sender.close();
  }

  /** Nothing more is sent to a webhook that is gone. */
  forget(webhookId: string): void {
    this.#sending.forget(webhookId);
  }

  /** At first, and when the clock was put back, nothing may wait for a moment that was counted from a later one. */
  async #mindClock(): Promise<void> {
    const { db, writer, now } = this.#options;
    const [before, at] = [this.#lastRun, now()];
    this.#lastRun = at;
    if (at >= before) return;
    const ahead = await db.all(anyAhead, { latest: BigInt(at) + LONGEST_WAIT_MS });
    if (ahead.length === 0) return;
    await writer.apply(hastenDeliveries, { at: BigInt(at) });
  }

  async #makeAll(signal: AbortSignal, piece: Piece): Promise<void> {
    const { db } = this.#options;
    for (let isMore = true; isMore && !signal.aborted; ) {
      const behind = await db.all(webhooksBehind, { limit: MOST_BEHIND });
      isMore = false;
      const make = async (webhook: WebhookBehind) => {
        const { isAll } = await this.#make(webhook, piece);
        isMore ||= !isAll || BigInt(behind.length) === MOST_BEHIND;
      };
      await Promise.all(behind.map((webhook) => piece(() => make(webhook))));
    }
  }

  /** An event that cannot be shown is left out: the others are not kept waiting for it. */
  async #make(webhook: WebhookBehind, piece: Piece): Promise<{ isAll: boolean }> {
    const { db, writer, write, now } = this.#options;
    const { webhookId, storeId, from, reached } = webhook;
    const events = await db.all(eventsAfter, { storeId, after: from, limit: MADE_AT_ONCE });
    const isAll = BigInt(events.length) < MADE_AT_ONCE;
    const last = events.at(-1)?.revision ?? from;
    const upTo = isAll && reached > last ? reached : last;
    const types = typesOf(webhook);
    const messages: Array<MakeDeliveries['messages'][number]> = [];
    for (const event of events.filter(({ type }) => types.includes(type)))
      await piece(async () => messages.push({ body: write(event), traceparent: event.traceparent }));
    await writer.apply(makeDeliveries, { webhookId, from, upTo, messages, at: BigInt(now()) });
    return { isAll };
  }

  async #prune(): Promise<void> {
    const { db, writer, now } = this.#options;
    if (Math.abs(now() - this.#prunedAt) < MINUTE_MS) return;
    const before = BigInt(now() - KEPT_MS);
    if ((await db.all(anyOlder, { before })).length > 0) {
      const { done } = await writer.apply(pruneDeliveries, { before });
      if (!done) return this.wake();
    }
    this.#prunedAt = now();
  }
}

const anyOlder = query((db, p: { before: bigint }) =>
  db.selectFrom('deliveries').select('id').where('created_at', '<', p.before).limit(1),
);
