import { encodeRequest, openSide } from '../load.ts';
import { compare, type Effort, type Row } from '../measure/compare.ts';
import { startPetstore } from '../subjects/petstore.ts';
import { SMALL, seedStore, smallStore } from './stores.ts';

/** v2's page of 40 orders, cached and not cached, compared with v1's list of 100. */
export async function pages(effort: Effort): Promise<Row[]> {
  // Each side has a process of its own: work after a response, such as writing logs, is charged to the side that caused it.
  const [listed, paged] = [await smallStore(), await seedStore(SMALL)];
  await using one = await startPetstore(listed.location, listed.key);
  await using other = await startPetstore(paged.location, paged.key);
  const listRequest = encodeRequest('/v1/store/orders', { key: listed.key });
  const { key } = paged;
  const sameRequest = encodeRequest('/v2/store/orders?limit=40', { key });
  // A filter that matches all orders. Its date differs in each request, so that no page is cached.
  let milliseconds = 0;
  const differentRequest = () => {
    const date = new Date(milliseconds++).toISOString();
    return encodeRequest(`/v2/store/orders?limit=40&sort=shipDate&shipDateFrom=${date}`, { key });
  };
  using list = await openSide('list', one, 200, () => listRequest);
  using page = await openSide('page', other, 200, () => sameRequest);
  using newPage = await openSide('page', other, 200, differentRequest);
  const cached = {
    what: 'the same page of 40 each time vs. the list',
    limit: 1.5,
    because: 'the query is parsed and checked, and the link to the next page is written',
  };
  const uncached = {
    what: 'a different page of 40 each time vs. the list',
    limit: 5,
    because: '40 orders of eight values are read and formatted',
  };
  return [await compare(cached, page, list, effort), await compare(uncached, newPage, list, effort)];
}
