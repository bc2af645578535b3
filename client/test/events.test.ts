import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { AuthenticationError, ConnectionError, createClient, type StoreEvent } from '../src/index.ts';

/** Implements `GET /v2/store/events/stream` as documented; each connection is handled by the next of `answers`. */
async function startSource(...responses: ((res: ServerResponse, request: IncomingMessage) => void)[]) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, res) => {
    requests.push(request);
    const respond = responses.shift() ?? (() => res.destroy());
    respond(res, request);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  let retries = 0;
  return {
    client: createClient({
      baseUrl: `http://127.0.0.1:${port}`,
      key: 'pst_test_a',
      retryDelay: 1,
      retries: 2,
      log: ({ type }) => {
        if (type === 'retry') retries += 1;
      },
    }),
    requests,
    get retries() {
      return retries;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const event = (id: number, petId = '1') =>
  `id: ${id}\nevent: pet.changed\ndata: {"id":"${id}","type":"pet.changed","at":"2026-12-01T00:00:00.000Z","data":{"id":${petId}}}\n\n`;

const stream = (res: ServerResponse) => res.writeHead(200, { 'content-type': 'text/event-stream' });

async function take(events: AsyncIterable<StoreEvent>, count: number): Promise<StoreEvent[]> {
  const taken: StoreEvent[] = [];
  for await (const each of events) if (taken.push(each) === count) break;
  return taken;
}

const ids = (events: StoreEvent[]) => events.map(({ id }) => id);

describe('events', () => {
  it('are parsed as they arrive, with exact IDs, in chunks of any size', async () => {
    const bytes = Buffer.from(
      `: open\n\n${event(1, '9007199254740993')}:\r\n\r\n${event(2).replaceAll('\n', '\r\n')}`,
    );
    await using source = await startSource((res) => {
      stream(res);
      for (const byte of bytes) res.write(Buffer.of(byte));
    });
    const [first, second] = await take(source.client.events({ after: 0 }), 2);
    expect(first).toEqual({
      id: '1',
      type: 'pet.changed',
      at: '2026-12-01T00:00:00.000Z',
      data: { id: 9007199254740993n },
    });
    expect(second?.id).toBe('2');
    expect(source.requests[0]?.headers).toMatchObject({ accept: 'text/event-stream', 'last-event-id': '0' });
  });

  it('resume after the last one when the stream ends, breaks, or is temporarily rejected', async () => {
    await using source = await startSource(
      (res) => stream(res).end(event(1) + event(2)),
      (res) => stream(res).write(`${event(3)}id: 4\ndata: cut of`, () => res.destroy()),
      (res) => res.writeHead(503, { 'retry-after': '0' }).end('{}'),
      (res) => res.destroy(),
      (res) => res.destroy(),
      (res) => res.destroy(),
      // A repeated event is skipped.
      (res) => stream(res).write(event(3) + event(4)),
    );
    expect(ids(await take(source.client.events({ after: '0' }), 4))).toEqual(['1', '2', '3', '4']);
    const resumed = source.requests.map(({ headers }) => headers['last-event-id']);
    expect(resumed).toEqual(['0', '2', '3', '3', '3', '3', '3']);
  });

  it('are not missed when a stream breaks before its first event: it names its start', async () => {
    await using source = await startSource(
      (res) => stream(res).end(': open\nid: 17\n\n'),
      (res) => stream(res).write(event(18)),
    );
    expect(ids(await take(source.client.events(), 1))).toEqual(['18']);
    expect(source.requests.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '17']);
  });

  it('are requested again when a stream goes silent', async () => {
    await using source = await startSource(
      (res) => stream(res).write(event(1)),
      (res) => stream(res).write(event(2)),
    );
    // For the client, time advances only when the test says so.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const events = source.client.events({ after: 0, silence: 2_000 });
    expect(await events.next()).toMatchObject({ value: { id: '1' } });
    const next = events.next();
    await vi.advanceTimersByTimeAsync(1_999);
    expect(source.retries).toBe(0);
    vi.advanceTimersByTime(1);
    while (source.retries === 0) await new Promise(setImmediate);
    vi.advanceTimersByTime(1);
    expect(await next).toMatchObject({ value: { id: '2' } });
    await events.return();
  });

  it('end on a response that is not a stream, or repeatedly empty', async () => {
    const page = (res: ServerResponse) =>
      res.writeHead(200, { 'content-type': 'text/html' }).end('<title>Sign in</title>\n\n<p>Please');
    await using portal = await startSource(page, page, page);
    const failure = { code: 'invalid_answer', status: 200, mayBeDone: false };
    await expect(take(portal.client.events(), 1)).rejects.toMatchObject(failure);
    const nothing = (res: ServerResponse) => res.writeHead(204).end();
    await using silent = await startSource(nothing, nothing, nothing);
    await expect(take(silent.client.events(), 1)).rejects.toBeInstanceOf(ConnectionError);
    const empty = (res: ServerResponse) => stream(res).end();
    await using ending = await startSource(empty, empty, empty);
    await expect(take(ending.client.events(), 1)).rejects.toBeInstanceOf(ConnectionError);
    for (const { requests } of [portal, silent, ending]) expect(requests).toHaveLength(3);
  });

  it('end on a rejected key, an unreachable service, and an abort signal', async () => {
    await using source = await startSource((res) => res.writeHead(401).end('{}'));
    await expect(take(source.client.events(), 1)).rejects.toBeInstanceOf(AuthenticationError);
    await expect(take(source.client.events(), 1)).rejects.toBeInstanceOf(ConnectionError);
    expect(source.requests).toHaveLength(4);

    await using quiet = await startSource((res) => stream(res).write(': open\n\n'));
    const stopped = new AbortController();
    const reading = take(quiet.client.events({ signal: stopped.signal }), 1);
    const reason = new Error('enough');
    stopped.abort(reason);
    await expect(reading).rejects.toBe(reason);
  });
});
