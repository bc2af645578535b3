import type { Listing } from '../../client/src/index.ts';
import type { Call } from './command-group.ts';
import { countFrom } from './numbers.ts';
import { type Column, endProgress, Rows, showProgress } from './output.ts';

const MAX_PAGE_SIZE = 1000;

/** Prints a list page by page up to `--limit`, then notes whether there are more. */
export async function showListing<T>(
  what: string,
  call: Call,
  columns: readonly Column<T>[],
  list: (limit: number) => Listing<T>,
): Promise<void> {
  const { limit = '50', all } = call.values;
  const maxRows =
    all === true
      ? Number.POSITIVE_INFINITY
      : countFrom('--limit', limit, { minimum: 1, maximum: 1_000_000_000 });
  const rows = new Rows(columns, call, what);
  let left = maxRows;
  let page = await list(Math.min(maxRows, MAX_PAGE_SIZE));
  for (;;) {
    await rows.write(page.data.slice(0, left));
    left -= page.data.length;
    showProgress(maxRows - left, what, call);
    const next = left > 0 ? await page.next() : undefined;
    if (!next) break;
    page = next;
  }
  endProgress(call);
  await rows.end();
  const hasMore = page.nextCursor !== null || left < 0;
  if (hasMore && call.stderr.isTTY) call.stderr.write(`More ${what} available: use --limit N or --all.\n`);
}
