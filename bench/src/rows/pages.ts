import { encodeRequest, openSide } from '../load.ts';
import { compare, type Effort, type Row } from '../measure/compare.ts';
import { startPetstore } from '../subjects/petstore.ts';
import { smallStore } from './stores.ts';

/** v2's page of 40 orders, cached and not cached, compared with v1's list of 100. */
export async function pages(effort: Effort): Promise<Row[]> {
  const { location, key } = await smallStore();
  await using petstore = await startPetstore(location, key);
  const [listRequest, sameRequest] = ['/v1/store/orders', '/v2/store/orders?limit=40'].map((path) =>
    encodeRequest(path, { key }),
  );
  // A filter that matches all orders. Its date differs in each request, so that no page is cached.
  let milliseconds = 0;
  const differentRequest = () => {
    const date = new Date(milliseconds++).toISOString();
    return encodeRequest(`/v2/store/orders?limit=40&sort=shipDate&shipDateFrom=${date}`, { key });
  };
  using list = await openSide('list', petstore, 200, () => listRequest as Buffer);
  using page = await openSide('page', petstore, 200, () => sameRequest as Buffer);
  using newPage = await openSide('page', petstore, 200, differentRequest);
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
