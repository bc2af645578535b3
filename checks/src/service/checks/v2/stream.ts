import { once, type Suite } from '../../check.ts';
import type { Context } from '../../context.ts';
import { ensure, equal, expectError } from '../../expect.ts';
import { parseExact } from '../../json.ts';
import { readStart, readStream } from '../../stream.ts';
import { pageOf } from '../../v2.ts';
import { createHistory, revisionOf } from './events.ts';
import { sectionOf } from './section.ts';

const path = '/store/events/stream';

export function streamChecks(suite: Suite, { v2, client }: Context): void {
  const { check, inconclusive } = sectionOf(suite, v2, 'stream', 'the stream of events', `get ${path}`);
  const history = once(() => createHistory(v2));

  check(
    'after',
    'the stream sends every event after a revision exactly once, in order: `id`, `event`, `data`',
    async () => {
      const { since, expectedEvents } = await history();
      const { status, type, events } = await readStream(client, {
        path: `${path}?after=${since}`,
        count: expectedEvents.length,
      });
      equal(
        [status, type.split(';')[0]],
        [200, 'text/event-stream'],
        'status and content type',
        `GET ${path}`,
      );
      const page = pageOf(await v2.get(`/store/events?after=${since}&limit=${expectedEvents.length}`)).data;
      for (const [index, event] of page.entries()) {
        const { id, event: name, data = '' } = events[index] ?? {};
        equal([id, name], [event.id, event.type], '`id` and `event`');
        equal(parseExact(data), event, 'the object of the page');
      }
    },
  );
  check(
    'last-event-id',
    'the stream resumes after `Last-Event-ID`, which takes precedence over `after`',
    async () => {
      const { since } = await history();
      const [, , third] = pageOf(await v2.get(`/store/events?after=${since}&limit=3`)).data;
      const second = BigInt(String(third?.id)) - 1n;
      const [oldest] = pageOf(await v2.get('/store/events?after=0&limit=1')).data;
      const fromZero = await readStream(client, { path, headers: { 'Last-Event-ID': '0' }, count: 1 });
      equal(fromZero.events[0]?.id, oldest?.id, 'the first event after 0');
      for (const query of ['', '?after=0']) {
        const headers = { 'Last-Event-ID': String(second) };
        const { events } = await readStream(client, { path: path + query, headers, count: 1 });
        equal(events[0]?.id, third?.id, 'the first event');
      }
    },
  );
  check(
    'from-now-on',
    'without `Last-Event-ID` and `after`, the stream starts with new events, as they happen',
    async () => {
      const petId = await v2.newPet(5);
      const since = await revisionOf(v2);
      const { events } = await readStream(client, { path, count: 1, onOpen: () => v2.place(petId) });
      const [{ id = '0', event, data = '' } = {}] = events;
      equal(event, 'order.placed', 'the type');
      ensure(BigInt(id) > since, `an event after ${since}`, id);
      equal(
        parseExact(data),
        pageOf(await v2.get(`/store/events?after=${since}&limit=1`)).data[0],
        'the event of the page',
      );
    },
  );
  check(
    'position',
    'without `Last-Event-ID` and `after`, the stream first sends the current revision as an `id` without data',
    async () => {
      await v2.newPet(1);
      const revision = await revisionOf(v2);
      const text = await readStart(client, path);
      const lines = text.split('\n').filter((line) => !line.startsWith(':') && line !== '');
      ensure(
        lines.includes(`id: ${revision}`) && !/^data/m.test(text),
        `id: ${revision}`,
        text,
        `GET ${path}`,
      );
    },
  );
  check(
    'bytes',
    'an event is `id`, `event` and one line of `data`, byte for byte the item of the page',
    async () => {
      const { since, expectedEvents } = await history();
      const page = await v2.get(`/store/events?after=${since}&limit=${expectedEvents.length}`);
      const { events } = await readStream(client, {
        path: `${path}?after=${since}`,
        count: expectedEvents.length,
      });
      const text = `{"data":[${events.map(({ data }) => data).join()}],"nextCursor":`;
      ensure(page.text.startsWith(text), text, page.text, page.request);
    },
  );
  check('from-the-beginning', '`after=0` starts at the beginning', async () => {
    await history();
    const { data } = pageOf(await v2.get('/store/events?after=0&limit=3'));
    const { events } = await readStream(client, { path: `${path}?after=0`, count: 3 });
    equal(
      events.map(({ id }) => id),
      data.map(({ id }) => id),
      'the events',
    );
  });
  check('accept', 'the response is a stream, whatever `Accept` says', async () => {
    const { since } = await history();
    for (const accept of ['application/json', 'text/html', '*/*']) {
      const headers = { Accept: accept };
      const { type } = await readStream(client, { path: `${path}?after=${since}`, headers, count: 1 });
      equal(type.split(';')[0], 'text/event-stream', 'content type', accept);
    }
  });
  check('refused', 'a missing key is 401, and a malformed `after` or `Last-Event-ID` is 400', async () => {
    expectError(await client.send({ prefix: client.v2, path, key: null }), 401, 'missing_api_key');
    expectError(await v2.get(`${path}?after=abc`), 400, 'invalid_parameter');
    expectError(await v2.get(path, { 'Last-Event-ID': 'abc' }), 400, 'invalid_parameter');
  });
  inconclusive('comments', 'a stream has a comment at least every 15 seconds', 'it would take 15 seconds');
  inconclusive(
    'expired',
    'resuming from before the oldest stored event is 410 `events_expired`',
    'no event is old enough to have expired',
  );
}
