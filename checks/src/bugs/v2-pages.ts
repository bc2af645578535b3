import type { Bug } from './bug.ts';
import { readJson } from './mutations.ts';

const operation = 'v2.listOrders';

interface Page {
  data: Record<string, unknown>[];
  nextCursor: string | null;
}

/** Changes the parameters before the service receives them. */
export const editQuery = (change: (query: URLSearchParams) => void): ReturnType<Bug['createHooks']> => ({
  request(forwarded) {
    const [path, text = ''] = forwarded.path.split('?');
    const query = new URLSearchParams(text);
    change(query);
    if (query.toString() !== new URLSearchParams(text).toString()) forwarded.path = `${path}?${query}`;
  },
});

const parameterNames = 'status petId complete shipDateFrom shipDateTo sort limit cursor'.split(' ');

export const v2Pages: readonly Bug[] = [
  {
    id: 'limit-is-ignored',
    level: 'easy',
    operation,
    summary: 'A page has up to 50 orders, regardless of `limit`.',
    hint: 'Request small pages, and count.',
    createHooks: () =>
      editQuery((query) => {
        if (/^[1-9]\d*$/.test(query.get('limit') ?? '')) query.set('limit', '50');
      }),
  },
  {
    id: 'pages-overlap',
    level: 'medium',
    operation,
    summary: 'Every page starts with the last order of the previous one.',
    hint: 'Read all pages, and compare them.',
    createHooks() {
      const lastOrderBefore = new Map<string, Record<string, unknown>>();
      return {
        response(response, { path }) {
          if (response.status !== 200) return;
          const page = readJson(response.body) as Page;
          const before = lastOrderBefore.get(new URLSearchParams(path.split('?')[1]).get('cursor') ?? '');
          const last = page.data.at(-1);
          if (page.nextCursor !== null && last) lastOrderBefore.set(page.nextCursor, last);
          if (before) response.body = JSON.stringify({ ...page, data: [before, ...page.data] });
        },
      };
    },
  },
  {
    id: 'last-page-is-lost',
    level: 'medium',
    operation,
    summary: '`nextCursor` is null on the second page, even if there are more.',
    hint: 'Read all pages, and count.',
    createHooks: () => ({
      response(response, { path }) {
        if (response.status !== 200 || !path.includes('cursor=')) return;
        response.body = response.body.replace(/"nextCursor":"[^"]*"/, '"nextCursor":null');
        delete response.headers.link;
      },
    }),
  },
  {
    id: 'second-status-is-ignored',
    level: 'medium',
    operation,
    summary: 'Of several statuses only the first is applied.',
    hint: 'A filter may have more than one value.',
    createHooks: () =>
      editQuery((query) => {
        const [first, ...more] = query.getAll('status').flatMap((value) => value.split(','));
        if (first !== undefined && more.length > 0) query.set('status', first);
      }),
  },
  {
    id: 'end-of-range-is-included',
    level: 'hard',
    operation,
    summary: '`shipDateTo` is inclusive: an order exactly at it is listed.',
    hint: 'Is an order exactly on the boundary included?',
    createHooks: () =>
      editQuery((query) => {
        const end = Date.parse(query.get('shipDateTo') ?? '');
        if (!Number.isNaN(end)) query.set('shipDateTo', new Date(end + 1).toISOString());
      }),
  },
  {
    id: 'unknown-parameter-is-ignored',
    level: 'medium',
    operation,
    summary: 'An unknown parameter is ignored instead of rejected.',
    hint: 'Misspell something.',
    createHooks: () =>
      editQuery((query) => {
        for (const name of [...query.keys()]) if (!parameterNames.includes(name)) query.delete(name);
      }),
  },
  {
    id: 'cursor-goes-with-any-filter',
    level: 'hard',
    operation,
    summary: 'A cursor is accepted with filters it was not issued for.',
    hint: 'A cursor belongs to one query.',
    createHooks: () => ({
      async response(response, { path }, callService) {
        if (!response.body.includes('"invalid_cursor"')) return;
        // Cursors of the service are longer than 30 characters: shorter values are still rejected.
        const withoutCursor = path.replace(/(?<=[?&])cursor=[^&]{30,}(&|$)/, '').replace(/[?&]$/, '');
        const { status, body } = await callService(`GET ${withoutCursor}`);
        if (status === 200) Object.assign(response, { status, body });
      },
    }),
  },
];
