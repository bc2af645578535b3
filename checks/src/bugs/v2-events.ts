import type { Bug } from './bug.ts';
import { editJson, readJson } from './mutations.ts';

interface StoreEvent {
  readonly type: string;
  data: { readonly id?: unknown };
}

export const v2Events: readonly Bug[] = [
  {
    id: 'after-is-included',
    level: 'medium',
    operation: 'v2.listEvents',
    summary: '`after` is inclusive: the events after an ID begin with that ID.',
    hint: 'Resume from the last event you read. What comes first?',
    createHooks: () => ({
      request(forwarded) {
        forwarded.path = forwarded.path.replace(/(?<=[?&]after=)[1-9]\d*/, (id) => String(BigInt(id) - 1n));
      },
    }),
  },
  {
    id: 'cancelling-is-no-event',
    level: 'medium',
    operation: 'v2.listEvents',
    summary: 'A cancelled order creates no event.',
    hint: 'Perform every kind of change once, then read the events.',
    createHooks: () =>
      editJson<{ data: StoreEvent[] }>(200, (page) => {
        page.data = page.data.filter(({ type }) => type !== 'order.cancelled');
      }),
  },
  {
    id: 'event-shows-today',
    level: 'hard',
    operation: 'v2.listEvents',
    summary: "An event contains the order's current state, not its state at the time.",
    hint: 'Place an order, ship it, and read the first event.',
    createHooks: () => ({
      async response(response, _, callService) {
        if (response.status !== 200) return;
        const page = readJson(response.body) as { data: StoreEvent[] };
        for (const event of page.data.filter(({ type }) => type.startsWith('order.'))) {
          const { status, body } = await callService(`GET /v2/store/orders/${event.data.id}`);
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
    summary: 'Streamed events have no `id`, so that a client cannot resume.',
    hint: 'Look at every line of an event.',
    createHooks: () => ({ event: (text) => text.replace(/^id:.*\n/m, '') }),
  },
  {
    id: 'stream-forgets-where-it-was',
    level: 'hard',
    operation: 'v2.streamEvents',
    summary: 'A stream ignores `Last-Event-ID` and starts with new events.',
    hint: 'Disconnect, and resume.',
    createHooks: () => ({
      request({ headers }) {
        delete headers['last-event-id'];
      },
    }),
  },
];
