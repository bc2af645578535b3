import type { Piece } from '../background.ts';
import type { Connection } from '../database/query.ts';
import { findRows } from '../database/rows.ts';
import { eventsAfter, writeEvent } from '../events/event.ts';
import { fairShares } from '../fair-shares.ts';
import type { Writer } from '../writer/writer.ts';
import { GONE, outcomeOf, withAttempt } from './delivery.ts';
import {
  type ClaimedDelivery,
  claimDeliveries,
  type DueWebhook,
  EVENTS_AT_ONCE,
  hastenDeliveries,
  type Message,
  makeDeliveries,
  recordAttempt,
  type WebhookBehind,
  webhooksBehind,
  webhooksDue,
} from './make-and-claim-deliveries.ts';
import { typesOf } from './manage-webhooks.ts';
import type { WebhookMessage, WebhookSender } from './webhook-sender.ts';

const WEBHOOKS_AT_ONCE = 64n;
/** Longer than any try takes: a claim that is older was left by a replica that died. */
const CLAIM_MS = 25_000n;
const MOST_TRIES_OF_WEBHOOK = 8;
/** Tries under way at a time. Beyond them, only a tenant with less than an equal share begins another. */
const MOST_TRIES = 256;
const MAX_TRIES_OF_OWNER = 16;

interface Options {
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
export function openDeliveries({ db, writer, sender, now, restMs = 1_000 }: Options) {
  /** Outcomes of tries so far: `pending` are those that failed and are made again. */
  const tried = { delivered: 0, pending: 0, failed: 0 };
  const underWay = new Map<ClaimedDelivery, Promise<void>>();
  const shares = fairShares(MOST_TRIES, MAX_TRIES_OF_OWNER);
  const stopping = new AbortController();
  let stores: ReadonlySet<bigint> = new Set();
  /** So that the first run always looks: the clock may have gone back while the service was stopped. */
  let lastRun = Number.POSITIVE_INFINITY;

  async function hastenIfClockWentBack(): Promise<void> {
    const at = now();
    if (at < lastRun) await writer.apply(hastenDeliveries, { at: BigInt(at) });
    lastRun = at;
  }

  /** Makes deliveries until no webhook is behind, or none can be brought further; what is made meanwhile is sent. */
  async function makeAll(signal: AbortSignal, piece: Piece): Promise<void> {
    for (let isMore = true; isMore && !signal.aborted; ) {
      isMore = false;
      const behind = await db.all(webhooksBehind, { at: BigInt(now()), limit: WEBHOOKS_AT_ONCE });
      const advance = async (webhook: WebhookBehind) => {
        await make(webhook, piece);
        isMore = true;
      };
      await Promise.all(behind.map((webhook) => piece(() => advance(webhook))));
      if (isMore) await piece(() => sendAll(signal, piece));
    }
  }

  /** An event that cannot be shown is left out: the others are not kept waiting for it. */
  async function make(webhook: WebhookBehind, piece: Piece): Promise<void> {
    const { storeId, from, reached } = webhook;
    const events = await db.all(eventsAfter, { storeId, after: from, limit: EVENTS_AT_ONCE });
    const last = events.at(-1)?.revision ?? from;
    // With all events read, the rest of the revisions up to `reached` have none.
    const upTo = BigInt(events.length) < EVENTS_AT_ONCE && reached > last ? reached : last;
    const types = typesOf(webhook);
    const messages: Message[] = [];
    for (const event of events.filter(({ type }) => types.includes(type)))
      await piece(async () => messages.push({ body: writeEvent(event), traceparent: event.traceparent }));
    await writer.apply(makeDeliveries, { webhook, upTo, messages, at: BigInt(now()) });
  }

  async function sendAll(signal: AbortSignal, piece: Piece): Promise<void> {
    let due: DueWebhook[] = [];
    do {
      const after = due.at(-1)?.webhookId ?? '';
      due = await db.all(webhooksDue, { after, at: BigInt(now()), limit: WEBHOOKS_AT_ONCE });
      // Whoever has the fewest under way comes first, so that none waits behind another that is slow.
      const tries = Map.groupBy(underWay.keys(), ({ webhook_id }) => webhook_id);
      const fewestFirst = due
        .map((webhook) => ({ ...webhook, trying: tries.get(webhook.webhookId)?.length ?? 0 }))
        .sort((a, b) => a.trying - b.trying);
      await Promise.all(fewestFirst.map((webhook) => piece(() => claim(webhook, piece))));
    } while (BigInt(due.length) === WEBHOOKS_AT_ONCE && !signal.aborted);
  }

  /** Takes a share for each delivery that it may claim, and gives back those for which there was none. */
  async function claim({ webhookId, tenantId, trying }: DueWebhook & { trying: number }, piece: Piece) {
    let taken = 0;
    while (trying + taken < MOST_TRIES_OF_WEBHOOK && shares.take(tenantId)) taken++;
    if (taken === 0) return;
    const at = BigInt(now());
    const wanted = { webhookId, most: BigInt(taken), at, until: at + CLAIM_MS };
    try {
      for (const delivery of await writer.apply(claimDeliveries, wanted)) {
        start(delivery, tenantId, piece);
        taken--;
      }
    } finally {
      for (; taken > 0; taken--) shares.giveBack(tenantId);
    }
  }

  function start(delivery: ClaimedDelivery, tenantId: bigint, piece: Piece): void {
    const sent = piece(() => send(delivery)).then(() => {
      underWay.delete(delivery);
      shares.giveBack(tenantId);
      job.wake();
    });
    underWay.set(delivery, sent);
  }

  async function send(delivery: ClaimedDelivery): Promise<void> {
    const { store_id: storeId, webhook_id, id, next_at, tries } = delivery;
    const { signal } = stopping;
    const attempt = await sender.send(messageOf(delivery, now()), signal);
    const attempts = withAttempt(delivery, attempt);
    // Nobody answered, because we left: another replica may try at once.
    const isCutOff = signal.aborted && attempt.status === null;
    const { status, nextAt } = isCutOff
      ? { status: 'pending' as const, nextAt: BigInt(now()) }
      : outcomeOf(attempt, Number(tries), now());
    if (!isCutOff) tried[status]++;
    const outcome = {
      storeId,
      claimed: { webhook_id, id, next_at },
      tried: { status, tries: isCutOff ? tries : tries + 1n, attempts, next_at: nextAt },
      goneWebhook: attempt.status === GONE ? { id: webhook_id, url: delivery.url } : undefined,
    };
    // A try that cannot be recorded is made again when the claim has ended.
    await writer.apply(recordAttempt, outcome).catch(() => {});
  }

  const job = {
    name: 'webhooks',
    restMs,
    tried,
    /** Set by whoever starts the job: asks for a run soon. */
    wake: () => {},
    hasWebhooks: (storeId: bigint) => stores.has(storeId),

    async run(signal: AbortSignal, piece: Piece): Promise<void> {
      const active = await findRows(db, 'webhooks', { active: 1n }, ['store_id']);
      stores = new Set(active.map(({ store_id }) => store_id));
      if (stores.size > 0) {
        await piece(hastenIfClockWentBack);
        await piece(() => makeAll(signal, piece));
      }
      await piece(() => sendAll(signal, piece));
    },

    /** Tries that are not answered yet are made again by another replica, or after the next start. */
    async finish(): Promise<void> {
      stopping.abort(new Error('the service stopped'));
      await Promise.all(underWay.values());
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
