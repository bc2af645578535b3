import { setTimeout as pause } from 'node:timers/promises';
import { Inconclusive, once, type Suite } from '../../check.ts';
import type { Context } from '../../context.ts';
import { ensure, equal, expectStatus } from '../../expect.ts';
import { type OpenStream, openStream, openStreamAfterOthers } from '../../stream.ts';
import { openTemporaryStore } from '../../temporary-store.ts';
import { sectionOf } from './section.ts';

const path = '/store/events/stream';
const COMMENT_INTERVAL_MS = 15_000;
/** How late a comment may be: what a slow network adds, and a multiple of the time that a response takes at present. */
const MARGIN_MS = 2_000;
const MARGIN_FACTOR = 20;
/** The first comment comes with the head of the stream, up to this much after it. */
const FIRST_COMMENT_MS = 1_000;

interface LongStream {
  readonly stream: OpenStream;
  /** When it was opened, or its store deleted. */
  readonly since: number;
}

/** Streams that stay open for longer than the interval of comments. `start` opens them, so that other checks run meanwhile. */
export function createLongStreams({ v2, client, staging }: Context) {
  const idle = once(async (): Promise<LongStream> => {
    const stream = await openStreamAfterOthers(client, path);
    v2.onCleanUp(async () => stream.close());
    return { stream, since: Date.now() };
  });
  const ended = once(async (): Promise<LongStream> => {
    if (!staging) throw new Inconclusive('needs --staging-url and --staging-key');
    await staging.v2.require('post /sandbox/stores');
    const { key, close } = await openTemporaryStore(staging.v2, '{"dataSet":"empty"}');
    const stream = await openStream(staging.client, path, key);
    v2.onCleanUp(async () => stream.close());
    equal(stream.status, 200, 'the status', `GET ${path}`);
    expectStatus(await close(), 204);
    return { stream, since: Date.now() };
  });
  return {
    idle,
    ended,
    start: () => Promise.allSettled([idle(), ended()]),
  };
}

/** Checks of streams that were opened before other checks ran. */
export function longStreamChecks(
  suite: Suite,
  { v2 }: Context,
  { idle, ended }: ReturnType<typeof createLongStreams>,
): void {
  const { check } = sectionOf(suite, v2, 'stream', 'the stream of events', `get ${path}`);
  const longestSilence = async () => {
    const sentAt = performance.now();
    await v2.get('/pets?limit=1');
    return COMMENT_INTERVAL_MS + MARGIN_MS + MARGIN_FACTOR * (performance.now() - sentAt);
  };

  check('comments', 'the stream “sends a comment at least every 15 seconds”', async () => {
    const { stream, since } = await idle();
    const maxSilence = await longestSilence();
    await pause(Math.max(since + FIRST_COMMENT_MS + maxSilence - Date.now(), 0));
    equal(
      [stream.status, stream.isEnded()],
      [200, false],
      'status, and whether the stream ended',
      `GET ${path}`,
    );
    const silence = Date.now() - stream.lastCommentAt();
    ensure(
      silence < maxSilence,
      'a comment in the last 15 seconds',
      `the last one ${silence} ms ago`,
      `GET ${path}`,
    );
  });
  check('ended-key', '“the key is checked again each time” a comment is due: the stream ends', async () => {
    const { stream, since } = await ended();
    const deadline = since + (await longestSilence());
    while (!stream.isEnded() && Date.now() < deadline) await pause(50);
    ensure(
      stream.isEnded(),
      'a stream that ends within 15 seconds of its store',
      'an open stream',
      `GET ${path}`,
    );
  });
}
