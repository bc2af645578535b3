import type { Connection } from '../database/query.ts';
import { type DuePosition, type DueWebhook, webhooksDue } from './advance-webhook.ts';

const PAGE = 64n;

/** Advances a page of due webhooks. Returns whether the log has more for one of them. */
type AdvancePage = (due: readonly DueWebhook[], isNew: boolean) => Promise<boolean>;

/**
 * Finds due webhooks. New ones, due since the last round or marked with 0, are all visited in each round. Those visited
 * before wait for attempts to end: one page per round, in rotation, so that a change costs the same next to many of them.
 */
export function openDueWebhooks(db: Connection, now: () => number) {
  let visitedUpTo = 0n;
  let lastWaiting: DuePosition | undefined;

  return {
    /** Returns whether the log has more for a webhook: then another round follows. */
    async visit(signal: AbortSignal, advance: AdvancePage): Promise<boolean> {
      const at = BigInt(now());
      // The clock may have gone back.
      const visited = visitedUpTo < at ? visitedUpTo : at;
      let hasMore = false;
      const visitPage = async (after: DuePosition, upTo: bigint, isNew: boolean) => {
        const due: DueWebhook[] = await db.all(webhooksDue, { ...after, upTo, at, limit: PAGE });
        if (await advance(due, isNew)) hasMore = true;
        return BigInt(due.length) === PAGE ? due.at(-1) : undefined;
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
