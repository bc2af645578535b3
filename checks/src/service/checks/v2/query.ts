import { gunzipSync } from 'node:zlib';
import { once, type Suite } from '../../check.ts';
import type { Context } from '../../context.ts';
import { equal, expectSameBody, expectStatus, headerOf } from '../../expect.ts';
import { pageOf } from '../../v2.ts';
import { createSampleOrders } from './sample-orders.ts';
import { sectionOf } from './section.ts';

/** QUERY of RFC 10008: the filters of GET as a JSON object. */
export function queryChecks(suite: Suite, { v2 }: Context): void {
  const { check } = sectionOf(suite, v2, 'query', 'QUERY');
  const sampleOrders = once(() => createSampleOrders(v2));
  const query = (body: object, headers?: Record<string, string>) =>
    v2.send('QUERY', '/store/orders', JSON.stringify(body), {
      'Content-Type': 'application/json',
      ...headers,
    });

  check('filters', 'QUERY with a filter returns the same as GET with that filter', async () => {
    const { petId, orders } = await sampleOrders();
    const dates = orders.map(({ shipDate }) => shipDate).toSorted();
    const filters = {
      status: 'pending',
      complete: 'true',
      shipDateFrom: String(dates[2]),
      shipDateTo: String(dates[2]),
      sort: '-shipDate',
      limit: '2',
    };
    for (const [name, text] of Object.entries(filters)) {
      const value = name === 'status' ? [text] : /^(true|\d+)$/.test(text) ? JSON.parse(text) : text;
      const response = await query({ petId: Number(petId), [name]: value });
      const fromGet = await v2.get(`/store/orders?petId=${petId}&${name}=${encodeURIComponent(text)}`);
      expectSameBody(response, fromGet);
      equal(headerOf(response, 'ETag'), headerOf(fromGet, 'ETag'), 'ETag', response.request);
    }
  });
  check('defaults', 'QUERY without filters returns the same as GET, compressed as well', async () => {
    const fromGet = await v2.get('/store/orders');
    expectSameBody(await query({}), fromGet);
    const compressed = await query({}, { 'Accept-Encoding': 'gzip' });
    if (fromGet.body.length < 1024) return;
    equal(headerOf(compressed, 'Content-Encoding'), 'gzip', 'Content-Encoding', compressed.request);
    equal(gunzipSync(compressed.body).toString(), fromGet.text, 'the body', compressed.request);
  });
  check('pages', 'pages of QUERY continue with `cursor`, and are 304 while nothing changes', async () => {
    const { petId, orders } = await sampleOrders();
    const filter = { petId: Number(petId), limit: 3 };
    const first = await query(filter);
    const { data, nextCursor } = pageOf(first);
    const rest = pageOf(await query({ ...filter, limit: 1000, cursor: nextCursor }));
    equal([...data, ...rest.data], orders, 'the orders', first.request);
    expectStatus(await query(filter, { 'If-None-Match': headerOf(first, 'ETag') }), 304);
  });
  check('accept-query', '`Accept-Query` names JSON, on GET as well', async () => {
    for (const response of [await query({}), await v2.get('/store/orders?limit=1')])
      equal(headerOf(response, 'Accept-Query'), 'application/json', 'Accept-Query', response.request);
  });
}
