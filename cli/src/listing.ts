import type { Listing } from '../../client/src/index.ts';
import { countFrom } from './numbers.ts';
import { type Column, endProgress, progress, Rows } from './output.ts';
import type { Call } from './place.ts';

const MOST_ON_A_PAGE = 1000;

/** Shows a list from page to page, as far as was asked for, and says whether there is more. */
export async function showListing<T>(
  what: string,
  call: Call,
  columns: readonly Column<T>[],
  list: (limit: number) => Listing<T>,
): Promise<void> {
  const { limit = '50', all } = call.values;
  const most = all === true ? Number.POSITIVE_INFINITY : countFrom('--limit', limit, 1, 1_000_000_000);
  const rows = new Rows(columns, call);
  let left = most;
  let page = await list(Math.min(most, MOST_ON_A_PAGE));
  for (;;) {
    await rows.write(page.data.slice(0, left));
    left -= page.data.length;
    progress(most - left, what, call);
    const next = left > 0 ? await page.next() : undefined;
    if (!next) break;
    page = next;
  }
  endProgress(call);
  await rows.end();
  const isMore = page.nextCursor !== null || left < 0;
  if (isMore && call.stderr.isTTY) call.stderr.write(`there are more ${what}: --limit N, or --all\n`);
}
