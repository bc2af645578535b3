import type { Connection } from '../database/query.ts';
import { type DuePosition, type DueWebhook, webhooksDue } from './advance-webhook.ts';

const PAGE_SIZE = 64n;

/** Advances a page of due webhooks. Returns whether the change log has more events for one of them. */
type AdvancePage = (due: readonly DueWebhook[], isNew: boolean) => Promise<boolean>;

/**
 * Visits due webhooks in rounds. A round visits all new ones: those with a `next_due` of 0 or after the last round. The rest
 * have been visited and wait for attempts to end. A round visits one page of them, in rotation, so that their number delays no other webhook.
 */
export function createDueWebhooks(db: Connection, now: () => number) {
  let visitedUpTo = 0n;
  let lastWaiting: DuePosition | undefined;

  return {
    /** Runs a round. Returns whether the change log has more events for a webhook, so that another round should follow. */
    async visit(signal: AbortSignal, advance: AdvancePage): Promise<boolean> {
      const at = BigInt(now());
      // The clock may have gone back.
      const visited = visitedUpTo < at ? visitedUpTo : at;
      let hasMore = false;
      const visitPage = async (after: DuePosition, upTo: bigint, isNew: boolean) => {
        const due: DueWebhook[] = await db.all(webhooksDue, { ...after, upTo, at, limit: PAGE_SIZE });
        if (await advance(due, isNew)) hasMore = true;
        return BigInt(due.length) === PAGE_SIZE ? due.at(-1) : undefined;
      };
      for (const [from, upTo] of [
        [0n, 0n],
        [visited + 1n, at],
      ] as const) {
        let after: DuePosition | undefined = { nextDue: from, webhookId: '' };
        while (after && !signal.aborted) after = await visitPage(after, upTo, true);
      }
      lastWaiting = await visitPage(lastWaiting ?? { nextDue: 1n, webhookId: '' }, visited, false);
      visitedUpTo = at;
      return hasMore;
    },
  };
}
