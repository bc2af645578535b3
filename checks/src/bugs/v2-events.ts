import type { Bug } from './bug.ts';
import { inJson, readJson } from './mutations.ts';

interface StoreEvent {
  readonly type: string;
  data: { readonly id?: unknown };
}

export const v2Events: readonly Bug[] = [
  {
    id: 'after-is-included',
    level: 'medium',
    operation: 'v2.listEvents',
    summary: 'The events after an id begin with the one that has this id.',
    hint: 'Go on where you were: what comes first?',
    breaks: () => ({
      request(asked) {
        asked.path = asked.path.replace(/(?<=[?&]after=)[1-9]\d*/, (id) => String(BigInt(id) - 1n));
      },
    }),
  },
  {
    id: 'cancelling-is-no-event',
    level: 'medium',
    operation: 'v2.listEvents',
    summary: 'A cancelled order is no event.',
    hint: 'Do everything once, and read what happened.',
    breaks: () =>
      inJson<{ data: StoreEvent[] }>(200, (page) => {
        page.data = page.data.filter(({ type }) => type !== 'order.cancelled');
      }),
  },
  {
    id: 'event-shows-today',
    level: 'hard',
    operation: 'v2.listEvents',
    summary: 'An event shows the order as it is now, not as it was then.',
    hint: 'Place an order, ship it, and read about the first.',
    breaks: () => ({
      async response(response, _, ask) {
        if (response.status !== 200) return;
        const page = readJson(response.body) as { data: StoreEvent[] };
        for (const event of page.data.filter(({ type }) => type.startsWith('order.'))) {
          const { status, body } = await ask(`GET /v2/store/orders/${event.data.id}`);
          if (status === 200) event.data = readJson(body) as StoreEvent['data'];
        }
        response.body = JSON.stringify(page);
      },
    }),
  },
  {
    id: 'stream-lacks-ids',
    level: 'medium',
    operation: 'v2.streamEvents',
    summary: 'Events of the stream have no `id`, so that nobody can resume it.',
    hint: 'Look at every line of an event.',
    breaks: () => ({ event: (text) => text.replace(/^id:.*\n/m, '') }),
  },
  {
    id: 'stream-forgets-where-it-was',
    level: 'hard',
    operation: 'v2.streamEvents',
    summary: 'A stream that is resumed by `Last-Event-ID` begins with what happens from now on.',
    hint: 'Lose the connection, and go on.',
    breaks: () => ({
      request({ headers }) {
        delete headers['last-event-id'];
      },
    }),
  },
];
