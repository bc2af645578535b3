import { useQuery } from '@tanstack/react-query';
import { client } from './api/client.ts';
import { storeQueries } from './api/queries.ts';
import { countMatching } from './count-matching.ts';
import { count } from './format.ts';
import { filterOf, filtersOnly } from './orders-search.ts';

const STEP = 1_000;
const MAX_STEPS = 5;
const AGAIN_MS = 30_000;

/** Counts by reading pages, up to a limit; beyond it, returns "5,000 or more". */
async function countPages(search: string, signal: AbortSignal): Promise<string> {
  let page = await client.orders.list({ ...filterOf(search), limit: STEP }, { signal });
  let found = page.data.length;
  for (let steps = 1; page.nextCursor !== null; steps += 1) {
    if (steps === MAX_STEPS) return `${count(found)} or more`;
    const next = await page.next();
    if (!next) break;
    page = next;
    found += page.data.length;
  }
  return count(found);
}

/** The number of matching orders as text: from the summary if possible, otherwise by counting pages. */
export function useTotal(search: string): string | undefined {
  const summary = useQuery(storeQueries.summary()).data;
  const known = countMatching(summary, search);
  const narrowing = filtersOnly(search);
  const counted = useQuery({
    queryKey: ['total', narrowing],
    queryFn: ({ signal }) => countPages(narrowing, signal),
    enabled: summary !== undefined && known === undefined,
    staleTime: 0,
    refetchInterval: AGAIN_MS,
  }).data;
  return known === undefined ? counted : count(known);
}
