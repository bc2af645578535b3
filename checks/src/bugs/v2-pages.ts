import type { Bug } from './bug.ts';
import { readJson } from './mutations.ts';

const operation = 'v2.listOrders';

interface Page {
  data: Record<string, unknown>[];
  nextCursor: string | null;
}

/** Changes the parameters that the service gets to see. */
export const inQuery = (change: (query: URLSearchParams) => void): ReturnType<Bug['breaks']> => ({
  request(asked) {
    const [path, text = ''] = asked.path.split('?');
    const query = new URLSearchParams(text);
    change(query);
    if (query.toString() !== new URLSearchParams(text).toString()) asked.path = `${path}?${query}`;
  },
});

const known = 'status petId complete shipDateFrom shipDateTo sort limit cursor'.split(' ');

export const v2Pages: readonly Bug[] = [
  {
    id: 'limit-is-ignored',
    level: 'easy',
    operation,
    summary: 'A page has up to 50 orders, whatever `limit` says.',
    hint: 'Ask for small pages.',
    breaks: () =>
      inQuery((query) => {
        if (/^[1-9]\d*$/.test(query.get('limit') ?? '')) query.set('limit', '50');
      }),
  },
  {
    id: 'pages-overlap',
    level: 'medium',
    operation,
    summary: 'Every page but the first begins with the order that ended the one before.',
    hint: 'Follow the pages to the end, and look at all of them together.',
    breaks() {
      const lastBefore = new Map<string, Record<string, unknown>>();
      return {
        response(response, { path }) {
          if (response.status !== 200) return;
          const page = readJson(response.body) as Page;
          const before = lastBefore.get(new URLSearchParams(path.split('?')[1]).get('cursor') ?? '');
          const last = page.data.at(-1);
          if (page.nextCursor !== null && last) lastBefore.set(page.nextCursor, last);
          if (before) response.body = JSON.stringify({ ...page, data: [before, ...page.data] });
        },
      };
    },
  },
  {
    id: 'last-page-is-lost',
    level: 'medium',
    operation,
    summary: '`nextCursor` is null on the second page, though there is more.',
    hint: 'Follow the pages to the end, and count.',
    breaks: () => ({
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
    summary: 'Of several statuses only the first counts.',
    hint: 'A filter may have more than one value.',
    breaks: () =>
      inQuery((query) => {
        const [first, ...more] = query.getAll('status').flatMap((value) => value.split(','));
        if (first !== undefined && more.length > 0) query.set('status', first);
      }),
  },
  {
    id: 'end-of-range-is-included',
    level: 'hard',
    operation,
    summary: 'An order that ships exactly at `shipDateTo` is in the list.',
    hint: 'What of the order that lies on the border?',
    breaks: () =>
      inQuery((query) => {
        const end = Date.parse(query.get('shipDateTo') ?? '');
        if (!Number.isNaN(end)) query.set('shipDateTo', new Date(end + 1).toISOString());
      }),
  },
  {
    id: 'unknown-parameter-is-ignored',
    level: 'medium',
    operation,
    summary: 'A parameter that does not exist is ignored instead of refused.',
    hint: 'Misspell something.',
    breaks: () =>
      inQuery((query) => {
        for (const name of [...query.keys()]) if (!known.includes(name)) query.delete(name);
      }),
  },
  {
    id: 'cursor-goes-with-any-filter',
    level: 'hard',
    operation,
    summary: 'A cursor is taken with other filters than those that it was made for.',
    hint: 'A cursor belongs to the question that it came from.',
    breaks: () => ({
      async response(response, { path }, ask) {
        if (!response.body.includes('"invalid_cursor"')) return;
        const { status, body } = await ask(`GET ${path.replace(/[?&]cursor=[^&]{30,}/, '')}`);
        if (status === 200) Object.assign(response, { status, body });
      },
    }),
  },
];
