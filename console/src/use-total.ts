import { useQuery } from '@tanstack/react-query';
import { client } from './api/client.ts';
import { storeQueries } from './api/queries.ts';
import { countMatching } from './count-matching.ts';
import { count } from './format.ts';
import { filterOf, filtersOnly } from './orders-search.ts';

const PAGE_SIZE = 1_000;
const MAX_PAGES = 5;
const REFETCH_MS = 30_000;

/** Counts by reading pages, up to a limit; beyond it, returns "5,000 or more". */
async function countPages(search: string, signal: AbortSignal): Promise<string> {
  let page = await client.orders.list({ ...filterOf(search), limit: PAGE_SIZE }, { signal });
  let found = page.data.length;
  for (let pages = 1; page.nextCursor !== null; pages += 1) {
    if (pages === MAX_PAGES) return `${count(found)} or more`;
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
  const fromSummary = countMatching(summary, search);
  const filters = filtersOnly(search);
  const counted = useQuery({
    queryKey: ['total', filters],
    queryFn: ({ signal }) => countPages(filters, signal),
    enabled: summary !== undefined && fromSummary === undefined,
    staleTime: 0,
    refetchInterval: REFETCH_MS,
  }).data;
  return fromSummary === undefined ? counted : count(fromSummary);
}
