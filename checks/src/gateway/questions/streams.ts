import { setTimeout as wait } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import { fail, skip } from '../finding.ts';
import { describe, type Fixture, type Request } from '../fixture.ts';
import type { Reply } from '../origin/reply.ts';
import type { Question } from '../question.ts';
import { event, orders, streamHeaders } from '../responses.ts';
import type { ClientResponse } from '../wire/client-response.ts';

const group = 'Streams';
const watch: Request = { path: '/v2/store/events/stream', headers: [['Accept', 'text/event-stream']] };
const EVENTS = 3;

/** Opens a stream at the origin, which sends a comment at once, as the service does. */
async function openStream(
  fixture: Fixture,
  request: Request = watch,
): Promise<{ readonly response: ClientResponse; readonly reply: Reply }> {
  fixture.respond((reply) => {
    reply.begin(200, streamHeaders);
    reply.chunk(': open\n\n');
  });
  const before = fixture.replies.length;
  const response = await fixture.begin(request);
  await fixture.waitForReceived(before + 1);
  const reply = fixture.replies[before];
  if (!reply) fail(`the request did not reach the origin: ${describe(response)}`);
  return { response, reply };
}

/** Sends events one after the other, each once the client has received the one before. The shortest time counts: others may be due to load. */
async function mustBePrompt(
  fixture: Fixture,
  reply: Reply,
  isReceived: (text: string) => Promise<boolean>,
): Promise<void> {
  let shortest = Number.POSITIVE_INFINITY;
  for (let at = 1; at <= EVENTS && shortest > fixture.settings.eventTimeout; at += 1) {
    const sentAt = performance.now();
    reply.chunk(event(String(at)));
    if (!(await isReceived(`id: ${at}\n`)))
      fail(
        `the client received no event while the stream was open, within ${(fixture.settings.eventTimeout * 5) / 1000} s`,
      );
    // The first event may be late because the connection is new.
    shortest = Math.min(shortest, performance.now() - sentAt);
  }
  if (shortest > fixture.settings.eventTimeout)
    fail(`the quickest of ${EVENTS} events took ${Math.round(shortest)} ms`);
}

/** Returns a function that waits until the response contains a text. */
const waiterForText = (response: ClientResponse, fixture: Fixture) => (text: string) =>
  response.waitFor(() => response.text.includes(text), fixture.settings.eventTimeout * 5);

/** Skips the question if the client receives no events at all, because the question is about more than that. */
async function requireEvents(fixture: Fixture): Promise<void> {
  const { response, reply } = await openStream(fixture);
  reply.chunk(event('1'));
  if (!(await waiterForText(response, fixture)('id: 1\n')))
    skip('the client receives no event (see the check `event`)');
  reply.abandon();
}

/** A stream that has nothing but comments for a while, and then an event. */
async function mustStayOpen(fixture: Fixture, comments: number): Promise<void> {
  await requireEvents(fixture);
  const { commentInterval, eventTimeout } = fixture.settings;
  const { response, reply } = await openStream(fixture);
  for (let at = 1; at <= comments; at += 1) {
    await wait(commentInterval);
    reply.chunk(':\n\n');
    if (response.isOver)
      fail(`the stream ended after ${(commentInterval * at) / 1000} s: ${describe(response)}`);
  }
  reply.chunk(event('9'));
  const exists = await response.waitFor(() => response.text.includes('id: 9\n'), eventTimeout * 5);
  if (!exists)
    fail(
      `the stream was cut off after ${(commentInterval * comments) / 1000} s with only comments: ${describe(response)}`,
    );
}

export const streams: readonly Question[] = [
  {
    id: 'event',
    group,
    requirement: 'delivers an event within a second',
    hint: 'Forwards events at once, without buffering.',
    async run(fixture) {
      const { response, reply } = await openStream(fixture);
      await mustBePrompt(fixture, reply, waiterForText(response, fixture));
    },
  },
  {
    id: 'event-compressed',
    group,
    requirement: 'delivers an event to a client that accepts gzip',
    hint: 'Does not compress text/event-stream, or flushes after each event.',
    async run(fixture) {
      await requireEvents(fixture);
      const headers = [...(watch.headers ?? []), ['Accept-Encoding', 'gzip'] as const];
      const { response, reply } = await openStream(fixture, { ...watch, headers });
      await mustBePrompt(fixture, reply, (text) =>
        waitForDecodedText(response, text, fixture.settings.eventTimeout * 5),
      );
    },
  },
  {
    id: 'quiet-stream',
    group,
    requirement: 'keeps a stream open with a comment every 15 seconds',
    hint: 'Waits at least 20 seconds for the next byte: the idle timeout must exceed the interval between comments.',
    when: 'first',
    async run(fixture) {
      const { limit, commentInterval } = fixture.settings;
      if (limit < 2 * commentInterval)
        skip(`takes ${(2 * commentInterval) / 1000} s; --timeout allows ${limit / 1000}`);
      await mustStayOpen(fixture, 2);
    },
  },
  {
    id: 'two-minutes',
    group,
    requirement: 'keeps a stream open for two minutes with only comments',
    hint: 'Limits the time between bytes, not the total time of a response.',
    when: 'first',
    isSlow: true,
    run: (fixture) => mustStayOpen(fixture, 8),
  },
  {
    id: 'client-leaves',
    group,
    requirement: 'closes the stream at the origin when the client disconnects',
    hint: 'Closes the origin connection at once: otherwise streams without readers pile up.',
    async run(fixture) {
      const connection = await fixture.connect();
      fixture.respond((reply) => {
        reply.begin(200, streamHeaders);
        reply.chunk(': open\n\n');
      });
      await fixture.begin(watch, connection);
      if (!(await fixture.waitForReceived(1))) fail('the request did not reach the origin');
      connection[Symbol.dispose]();
      const [reply] = fixture.replies;
      const end = performance.now() + fixture.settings.disconnectTimeout;
      // A gateway may notice when it passes on the next bytes.
      while (reply && !reply.isClosed && performance.now() < end) {
        reply.chunk(':\n\n');
        await Promise.race([reply.closed, wait(fixture.settings.disconnectTimeout / 20)]);
      }
      if (!reply?.isClosed)
        fail(
          `the origin connection was still open ${fixture.settings.disconnectTimeout / 1000} s after the client disconnected`,
        );
    },
  },
  {
    id: 'open-streams',
    group,
    requirement: 'serves other requests while 200 streams are open',
    hint: 'Needs no thread or process for each open stream.',
    when: 'alone',
    async run(fixture) {
      const count = Math.ceil(fixture.settings.clients / 5);
      fixture.respond((reply) => {
        if (!reply.request.target.includes('stream'))
          return reply.respond({ status: 200, body: orders('7') });
        reply.begin(200, streamHeaders);
        reply.chunk(': open\n\n');
      });
      for (let at = 0; at < count; at += 1) await fixture.begin(watch);
      const isReached = await fixture.waitForReceived(count);
      const open = fixture.received.length;
      const response = await fixture.send();
      if (response.text !== orders('7')) fail(`with ${open} streams open, a read got ${describe(response)}`);
      if (!isReached) fail(`only ${open} of ${count} streams reached the origin`);
    },
  },
];

function waitForDecodedText(response: ClientResponse, text: string, ms: number): Promise<boolean> {
  let decoded = '';
  const gunzip = createGunzip();
  gunzip.on('data', (bytes: Buffer) => {
    decoded += bytes.toString();
    response.notifyWatchers();
  });
  gunzip.on('error', () => {});
  let fed = 0;
  const found = response.waitFor(() => {
    const { body } = response;
    if (response.header('content-encoding') !== 'gzip') return response.text.includes(text);
    if (body.length > fed) gunzip.write(body.subarray(fed));
    fed = body.length;
    return decoded.includes(text);
  }, ms);
  return found.finally(() => gunzip.destroy());
}
