import { once, type Suite } from '../../check.ts';
import type { Context } from '../../context.ts';
import { ensure, equal, expectError, expectNoHeader, expectStatus, headerOf } from '../../expect.ts';
import type { Response } from '../../http.ts';
import { idsOf, pageOf } from '../../v2.ts';
import { createSampleOrders } from './sample-orders.ts';
import { sectionOf } from './section.ts';

/** Expects a 400 with the code, whose message contains the name. */
export function expectErrorNaming(response: Response, code: string, name: string): void {
  expectError(response, 400, code);
  ensure(response.text.includes(name), `a message that names ${name}`, response.text, response.request);
}

export function pageChecks(suite: Suite, { v2 }: Context): void {
  const { check } = sectionOf(suite, v2, 'pages', 'pages of orders');
  const sampleOrders = once(() => createSampleOrders(v2));

  check(
    'shape',
    '`{"data":[…],"nextCursor":string or null}`: null if everything fits on one page',
    async () => {
      const { path, orders } = await sampleOrders();
      const page = pageOf(await v2.get(path));
      equal(page, { data: orders, nextCursor: null }, 'the page', `GET ${path}`);
    },
  );
  check('no-overlap', 'pages of any `limit` add up to the list: no order twice, none missing', async () => {
    const { path, orders } = await sampleOrders();
    for (const limit of [1, 2, 3, 7, 8, 1000]) {
      const { items, pages } = await v2.walk(`${path}&limit=${limit}`);
      equal(items, orders, 'the orders', `GET ${path}&limit=${limit}`);
      const areFull = pages.slice(0, -1).every(({ data }) => data.length === limit);
      ensure(areFull, `pages of ${limit}`, pages.map(({ data }) => data.length).join());
    }
  });
  check('default-limit', '`limit` defaults to 50', async () => {
    const petId = await v2.newPet(100);
    const { items } = await v2.walk('/store/orders?limit=1000');
    for (let total = items.length; total < 51; total += 1) await v2.place(petId);
    const plain = await v2.get('/store/orders');
    equal(pageOf(plain).data.length, 50, 'the number of orders:', plain.request);
    equal(pageOf(plain), pageOf(await v2.get('/store/orders?limit=50')), 'the page', plain.request);
  });
  check('limit-range', '`limit` 1–1000: anything else is 400 `invalid_parameter`, naming it', async () => {
    for (const limit of ['0', '1001', '-1', '1.5', '1e1', '+1', '01', 'abc', '', '99999999999999999999']) {
      expectErrorNaming(await v2.get(`/store/orders?limit=${limit}`), 'invalid_parameter', 'limit');
    }
    for (const limit of [1, 1000]) expectStatus(await v2.get(`/store/orders?limit=${limit}`), 200);
  });
  check(
    'link',
    'a `Link` header with `rel="next"` leads to the next page; the last page has none',
    async () => {
      const { path } = await sampleOrders();
      const first = await v2.get(`${path}&limit=4`);
      const { nextCursor } = pageOf(first);
      const [, target = ''] = /<([^>]+)>\s*;\s*rel="?next"?/.exec(headerOf(first, 'Link')) ?? [];
      const { pathname, search } = new URL(target, v2.client.base);
      const linked = await v2.client.send({ prefix: '', path: pathname + search });
      const next = await v2.get(`${path}&limit=4&cursor=${nextCursor}`);
      equal(pageOf(linked), pageOf(next), 'the page behind `nextCursor`', `GET ${target}`);
      expectNoHeader(next, 'Link');
    },
  );
  check('limit-may-change', 'a cursor works with another `limit`', async () => {
    const { path, orders } = await sampleOrders();
    const first = pageOf(await v2.get(`${path}&limit=2`));
    const rest = pageOf(await v2.get(`${path}&limit=5&cursor=${first.nextCursor}`));
    equal([...first.data, ...rest.data], orders, 'the orders');
  });
  check(
    'walk-while-changing',
    'every order that exists throughout is seen once while others are placed',
    async () => {
      const { path, petId, orders } = await sampleOrders();
      const ids: unknown[] = [];
      let pagesRead = 0;
      for (let next: string | null = ''; next !== null; pagesRead += 1) {
        const page = pageOf(await v2.get(`${path}&limit=2${next && `&cursor=${next}`}`));
        ids.push(...idsOf(page.data));
        if (pagesRead < 2) {
          const { id } = await v2.place(petId);
          expectStatus(await v2.send('DELETE', `/store/orders/${id}`), 204);
        }
        next = page.nextCursor;
      }
      const sampleIds = new Set<unknown>(idsOf(orders));
      equal(
        ids.filter((id) => sampleIds.has(id)),
        [...sampleIds],
        'the orders',
      );
      equal(new Set(ids).size, ids.length, 'the number of distinct orders:');
    },
  );
  check('foreign-cursor', 'an invalid cursor is 400 `invalid_cursor`', async () => {
    const { path } = await sampleOrders();
    const { nextCursor } = pageOf(await v2.get(`${path}&limit=2`));
    const valid = String(nextCursor);
    const altered = [...valid].map((character, at) => {
      // The last character may have bits that are not used.
      const other = /[A-Z]/.test(character) ? character.toLowerCase() : 'A';
      return valid.slice(0, at) + (at === valid.length - 1 ? '_' : other) + valid.slice(at + 1);
    });
    const petCursor = pageOf(await v2.get('/pets?limit=1')).nextCursor;
    for (const cursor of ['abc', '2', ...altered, valid.slice(1), valid + valid, 'e30=', String(petCursor)]) {
      expectError(
        await v2.get(`${path}&limit=2&cursor=${encodeURIComponent(cursor)}`),
        400,
        'invalid_cursor',
      );
    }
  });
  check(
    'cursor-of-other-filters',
    'a cursor used with other filters or another sort is 400 `invalid_cursor`',
    async () => {
      const { path } = await sampleOrders();
      const { nextCursor } = pageOf(await v2.get(`${path}&limit=2`));
      const others = [
        '&status=pending',
        '&complete=false',
        '&sort=-id',
        '&shipDateFrom=2026-01-01T00:00:00Z',
      ];
      for (const other of others) {
        expectError(await v2.get(`${path}&limit=2${other}&cursor=${nextCursor}`), 400, 'invalid_cursor');
      }
      expectError(await v2.get(`/store/orders?petId=1&limit=2&cursor=${nextCursor}`), 400, 'invalid_cursor');
      expectError(await v2.get(`/store/orders?limit=2&cursor=${nextCursor}`), 400, 'invalid_cursor');
    },
  );
  check('unknown-parameter', 'an unknown parameter is 400 `invalid_parameter`, naming it', async () => {
    for (const name of ['foo', 'page', 'offset', 'Limit', 'pet_id']) {
      expectErrorNaming(await v2.get(`/store/orders?${name}=1`), 'invalid_parameter', name);
    }
  });
  check('twice', 'a parameter given twice is 400 `invalid_parameter`, naming it', async () => {
    for (const query of ['limit=1&limit=2', 'petId=1&petId=1', 'sort=id&sort=-id']) {
      expectErrorNaming(
        await v2.get(`/store/orders?${query}`),
        'invalid_parameter',
        query.split('=')[0] ?? '',
      );
    }
  });
  check('etag', 'a page has an `ETag`: 304 while nothing changes, 200 after a change', async () => {
    const { path, petId } = await sampleOrders();
    const headers = { 'If-None-Match': headerOf(await v2.get(path), 'ETag') };
    expectStatus(await v2.get(path, headers), 304);
    await v2.place(petId);
    expectStatus(await v2.get(path, headers), 200);
  });
}
