import type { Suite } from '../../check.ts';
import type { Context } from '../../context.ts';
import { equal, expectStatus } from '../../expect.ts';
import { parseExact } from '../../json.ts';
import { readStream } from '../../stream.ts';
import { openTemporaryStore } from '../../temporary-store.ts';
import { type Fields, objectOf, pageOf } from '../../v2.ts';
import { expectNow } from '../table/scene.ts';
import { ownWebhooks } from './own-webhooks.ts';
import { stagingSection } from './sandbox.ts';

const path = '/store/events';
const empty = { data: [], nextCursor: null };

/** Events of temporary stores: none of the initial contents, none of another store, and those of a reset. */
export function storeEventChecks(suite: Suite, context: Context): void {
  const { check } = stagingSection(suite, context, 'stores', 'temporary stores', 'post /sandbox/stores');
  const { v2, client } = context.staging ?? context;
  const { receiver } = ownWebhooks({ ...context, v2, client });

  check(
    'events',
    'a store shows and sends only its own events; “the initial contents of a store have no events”',
    async () => {
      const { wait } = await receiver();
      await v2.newPet(0);
      await using other = await openTemporaryStore(v2, '{"dataSet":"default"}');
      const { key, call } = other;
      const get = (query = '') => client.send(call('GET', path + query));
      const { revision } = objectOf(await client.send(call('GET', '/store/summary')));
      for (const query of ['', '?after=0', `?after=${revision}`])
        equal(pageOf(await get(query)), empty, 'the page', `GET ${path}${query}`);
      const { urlOf, received } = await receiver();
      const hook = await client.send(call('POST', '/webhooks', `{"url":"${urlOf('/own-events')}"}`));
      expectStatus(hook, 201, 422);
      const body = '{"name":"Own","category":"acceptance","stock":0}';
      const { events } = await readStream(client, {
        path: `${path}/stream`,
        headers: { Authorization: `Bearer ${key}` },
        count: 1,
        async onOpen() {
          await v2.newPet(0);
          expectStatus(await client.send(call('POST', '/pets', body)), 201);
        },
      });
      const page = pageOf(await get());
      equal(
        page.data.map((event) => (event.data as Fields).name),
        ['Own'],
        'the events',
        `GET ${path}`,
      );
      equal(parseExact(events[0]?.data ?? '{}'), page.data[0], 'the event of the stream');
      if (hook.status === 422) return;
      await wait('/own-events');
      equal(
        received('/own-events').map(({ event }) => event),
        page.data,
        'the messages',
      );
    },
  );
  check(
    'reset-event',
    '“A reset clears the log and starts a new one with `store.reset`”, whose data is `{}`: in lists, streams and webhooks',
    async () => {
      await using store = await openTemporaryStore(v2, '{"dataSet":"empty"}');
      const { key, call } = store;
      const create = async () => {
        const created = call('POST', '/pets', '{"name":"A","category":"acceptance","stock":0}');
        expectStatus(await client.send(created), 201);
      };
      for (let count = 0; count < 3; count += 1) await create();
      const [first] = pageOf(await client.send(call('GET', path))).data;
      const { urlOf, wait } = await receiver();
      const hook = await client.send(call('POST', '/webhooks', `{"url":"${urlOf('/reset')}"}`));
      expectStatus(hook, 201, 422);
      const reset = await client.send(call('POST', '/sandbox/reset', '{"dataSet":"default"}'));
      const { revision } = objectOf(reset);
      const stored: Fields[] = [];
      for (const query of ['', '?after=0', `?after=${first?.id}`]) {
        const page = pageOf(await client.send(call('GET', path + query)));
        const [event] = page.data;
        const expected = { id: String(revision), type: 'store.reset', at: event?.at, data: {} };
        equal(page, { data: [expected], nextCursor: null }, 'the page', `GET ${path}${query}`);
        expectNow(event?.at, reset);
        stored.push(expected);
      }
      const headers = { Authorization: `Bearer ${key}`, 'Last-Event-ID': String(first?.id) };
      const { events } = await readStream(client, { path: `${path}/stream`, headers, count: 1 });
      equal(parseExact(events[0]?.data ?? '{}'), stored[0], 'the first event of the stream');
      if (hook.status === 422) return;
      const [message] = await wait('/reset');
      equal(message?.event, stored[0], 'the message');
    },
  );
}
