import { Inconclusive, once, type Suite } from '../../check.ts';
import type { Context } from '../../context.ts';
import { ensure, equal, expectError, expectSameBody, headerOf } from '../../expect.ts';
import { parseExact } from '../../json.ts';
import { type OpenStream, openStream, openStreamAfterOthers, readStart, readStream } from '../../stream.ts';
import { idsOf, pageOf } from '../../v2.ts';
import { createHistory, revisionOf } from './events.ts';
import { expectErrorNaming } from './pages.ts';
import { sectionOf } from './section.ts';

const path = '/store/events/stream';
const MAX_STREAMS = 100;

/** `openLongStreams` is called by the last check. */
export function streamChecks(
  suite: Suite,
  { v2, client }: Context,
  openLongStreams: () => Promise<unknown>,
): void {
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
  check(
    'backlog-and-live',
    'a client “neither misses nor repeats an event”: stored events first, then new ones; only ids of events are sent',
    async () => {
      const { since } = await history();
      const petId = await v2.newPet(5);
      const stored = pageOf(await v2.get(`/store/events?after=${since}&limit=1000`)).data;
      const [first] = stored;
      const headers = { 'Last-Event-ID': String(first?.id) };
      const { events, text } = await readStream(client, {
        path,
        headers,
        count: stored.length + 2,
        async onEvents(count) {
          // One new event while the stored ones are sent, and three after them.
          if (count === 0) await v2.place(petId);
          if (count === stored.length) for (let placed = 0; placed < 3; placed += 1) await v2.place(petId);
        },
      });
      const { data } = pageOf(await v2.get(`/store/events?after=${first?.id}&limit=${stored.length + 2}`));
      equal(
        events.map(({ id }) => id),
        data.map(({ id }) => id),
        'the ids',
      );
      const ids = [...text.matchAll(/^id: ?(.*)$/gm)].map(([, id]) => id);
      equal(ids.slice(0, data.length), idsOf(data), 'every id that is sent');
    },
  );
  check('empty-last-event-id', 'an empty `Last-Event-ID` counts as absent', async () => {
    const { since } = await history();
    const [first] = pageOf(await v2.get(`/store/events?after=${since}&limit=1`)).data;
    const headers = { 'Last-Event-ID': '' };
    const { events } = await readStream(client, { path: `${path}?after=${since}`, headers, count: 1 });
    equal(events[0]?.id, first?.id, 'the first event');
  });
  check('only-the-stream', '“`Last-Event-ID` applies to the stream only”: the list ignores it', async () => {
    const { since } = await history();
    const page = `/store/events?after=${since}&limit=3`;
    const expected = await v2.get(page);
    for (const id of [String(await revisionOf(v2)), '0', 'abc'])
      expectSameBody(await v2.get(page, { 'Last-Event-ID': id }), expected);
  });
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
    for (const id of ['abc', '-1', '+1', '01', '1.0', '1e1', '0x1', '1'.repeat(20)]) {
      const after = `${path}?after=${encodeURIComponent(id)}`;
      expectErrorNaming(await v2.get(after), 'invalid_parameter', 'after');
      const headers = { 'Last-Event-ID': id };
      expectErrorNaming(await v2.get(path, headers), 'invalid_parameter', 'Last-Event-ID');
    }
  });
  check(
    'limit',
    '“per process, 100 per store”: the next stream is 429 `rate_limited`, with `Retry-After`',
    async () => {
      const streams: OpenStream[] = [];
      try {
        while (streams.length < MAX_STREAMS) {
          const stream = await openStreamAfterOthers(client, path);
          ensure(stream.status === 200, `${MAX_STREAMS} streams`, `${stream.status} after ${streams.length}`);
          streams.push(stream);
        }
        const next = await openStream(client, path);
        streams.push(next);
        if (next.status === 200) throw new Inconclusive('the streams may belong to several processes');
        const rejected = await client.send({ path, prefix: client.v2, isUnrecorded: true });
        expectError(rejected, 429, 'rate_limited');
        ensure(
          Number(headerOf(rejected, 'Retry-After')) > 0,
          'seconds to wait',
          rejected.headers['retry-after'],
        );
      } finally {
        for (const { close } of streams) close();
        await openLongStreams();
      }
    },
  );
  inconclusive(
    'expired',
    'resuming from before the oldest stored event is 410 `events_expired`',
    'no event is old enough to have expired',
  );
}
