import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { timeouts } from '../../src/config/timeouts.ts';
import { openSenderThread } from '../../src/webhooks/sender-thread.ts';
import { createWebhookSender } from '../../src/webhooks/webhook-sender.ts';
import { anyEngine } from '../support/engines.ts';
import { drip, hostileReceivers, startHostileReceiver } from '../support/hostile-receivers.ts';
import { startReceiver } from '../support/receiver.ts';
import { startService } from '../support/service.ts';
import { clientOf, type Page } from '../support/v2.ts';
import { withTimeouts } from '../support/with-timeouts.ts';

const blockableThread = new URL('../support/blockable-sender-thread.ts', import.meta.url);

type Attempt = { status: bigint | null; error: string | null };
type Delivery = { status: string; attempts: Attempt[] };

interface Outcome {
  status: number | null;
  error: RegExp | null;
  answer?: string;
}

/** How an attempt ends. Those that are not here end with the timeout of an attempt. */
const outcomes: Readonly<Record<string, Outcome>> = {
  'endless one-byte chunks': { status: 200, error: null, answer: 'x'.repeat(100) },
  '200 one-byte chunks and then silence': { status: 200, error: null, answer: 'x'.repeat(100) },
  'a little more than 64 KB and then silence': { status: 200, error: null, answer: 'x'.repeat(1024) },
  'an endless body': { status: 200, error: null, answer: 'x'.repeat(1024) },
  'endless 100 Continue': { status: null, error: /more than 8 informational responses/ },
  'endless 103 Early Hints': { status: null, error: /more than 8 informational responses/ },
  'endless headers': { status: null, error: /Header overflow/ },
  'one huge header': { status: null, error: /Header overflow/ },
  'endless trailers': { status: null, error: /Header overflow|aborted/ },
  'an endless chunk extension': { status: null, error: /extensions overflow|aborted/ },
  'endless responses to one request': { status: 200, error: null },
  garbage: { status: null, error: /HTTP/ },
  'a redirect to itself': { status: 302, error: null, answer: '' },
  'a TLS handshake of a byte per second': { status: null, error: /HTTP/ },
  'a switch of protocols': { status: null, error: /closed without a response|socket hang up/ },
  'a connection that closes at once': { status: null, error: /hang up|ECONNRESET/ },
  'a connection that is reset': { status: null, error: /hang up|ECONNRESET/ },
};

const message = (port: number, protocol = 'http') => ({
  url: `${protocol}://127.0.0.1:${port}/`,
  id: 'msg_1',
  body: '{}',
  secrets: ['whsec_c2VjcmV0'],
  at: Date.now(),
});

describe('a receiver that is hostile', () => {
  it.each(Object.entries(outcomes))('with %s ends only its own attempt', async (name, expected) => {
    await using receiver = await startHostileReceiver(hostileReceivers[name] as () => void);
    const sender = openSenderThread({ allowPrivate: true });
    const attempt = await sender.send(message(receiver.port));
    expect(attempt.status).toBe(expected.status);
    if (expected.error) expect(attempt.error).toMatch(expected.error);
    else expect(attempt.error).toBeNull();
    if (expected.answer) expect(attempt.answer).toBe(expected.answer);
    sender.close();
  });

  it('of another kind, or with an endless TLS handshake, is limited by the attempt timeout', async () => {
    expect(timeouts.attemptTimeoutMs).toBe(15_000);
    using _ = withTimeouts({ attemptTimeoutMs: 500 });
    const sender = openSenderThread({ allowPrivate: true });
    const timed = Object.entries(hostileReceivers).filter(([name]) => !(name in outcomes));
    expect(timed.map(([name]) => name)).toEqual(['a byte every 14 seconds', 'silence']);
    const behaviours = timed.map(([, behave]) => behave);
    const attempt = async (behave: (typeof behaviours)[number], protocol: string) => {
      await using receiver = await startHostileReceiver(behave);
      return await sender.send(message(receiver.port, protocol));
    };
    const slowHandshake = hostileReceivers[
      'a TLS handshake of a byte per second'
    ] as (typeof behaviours)[number];
    const attempts = [
      ...[...behaviours, drip(20)].map((behave) => attempt(behave, 'http')),
      ...[...behaviours, slowHandshake].map((behave) => attempt(behave, 'https')),
    ];
    for (const { status, error, durationMs } of await Promise.all(attempts)) {
      expect([status, error]).toEqual([null, 'no response within 0.5 seconds']);
      expect(durationMs).toBeGreaterThanOrEqual(495);
    }
    sender.close();
  });

  it('with a name of thousands of addresses gets attempts at the first eight', async () => {
    await using receiver = await startReceiver();
    const { port } = new URL(receiver.url);
    const url = `http://receiver.example:${port}/`;
    const attempt = (closed: number) => {
      const addresses = [...Array.from({ length: closed }, () => '::1'), '127.0.0.1'];
      const sender = createWebhookSender({ allowPrivate: true, resolve: async () => addresses });
      return sender.send({ ...message(0), url }).finally(() => sender.close());
    };
    expect((await attempt(7)).status).toBe(204);
    expect(await attempt(4_000)).toMatchObject({ status: null });
  });

  it.each(anyEngine)('does not delay other receivers’ messages, on $name', async (engine) => {
    await using service = await startService(engine, { webhooks: { allowPrivate: true }, intervalMs: 20 });
    await using quick = await startReceiver();
    const client = clientOf(service, await service.openStore());
    const receivers = await Promise.all(Object.values(hostileReceivers).map(startHostileReceiver));
    await using stack = new AsyncDisposableStack();
    for (const receiver of receivers) stack.use(receiver);
    const create = async (url: string) =>
      (await client('POST /v2/webhooks', { body: { url } })).json<{ id: string }>().id;
    const [first] = await Promise.all(receivers.slice(0, 9).map(({ port }) => create(message(port).url)));
    const undisturbed = await create(quick.url);
    for (let i = 0; i < 10; i++) await client('PATCH /v2/pets/1', { body: { stock: i } });
    const deliveries = async (id = '') =>
      (await client(`GET /v2/webhooks/${id}/deliveries`)).json<Page<Delivery>>().data;
    const isTried = ({ attempts }: Delivery) => attempts.length > 0;
    await quick.waitForMessages(10);
    await expect.poll(async () => (await deliveries(undisturbed)).every(isTried)).toBe(true);
    await expect.poll(async () => (await deliveries(first)).every(isTried)).toBe(true);
    // Each at the first try: no attempt of another receiver has ended the thread.
    for (const { status, attempts } of await deliveries(undisturbed))
      expect([status, attempts.length]).toEqual(['delivered', 1]);
    expect((await service.request('GET /healthz')).status).toBe(200);
  });
});

describe('the sender thread', () => {
  it('fails its attempts when it dies, and is restarted', async () => {
    await using silent = await startHostileReceiver(hostileReceivers.silence as () => void);
    await using quick = await startReceiver();
    const sender = openSenderThread({ allowPrivate: true });
    const cutOff = sender.send(message(silent.port));
    await expect.poll(() => silent.connections).toBe(1);
    sender.close();
    expect(await cutOff).toMatchObject({
      status: null,
      error: 'internal error: the attempt was interrupted',
    });
    expect((await sender.send(message(quick.port))).status).toBe(204);
    sender.close();
  });

  it('is replaced when it hangs, and its attempts fail', async () => {
    await using quick = await startReceiver();
    const sender = openSenderThread({ allowPrivate: true }, blockableThread);
    // The replacement is not timed: this clock advances only by hand.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const started = once(process, 'worker');
    const attempts = [`${quick.url}/block`, quick.url].map((url) => sender.send({ ...message(0), url }));
    const [hung] = (await started) as [Worker];
    const exited = once(hung, 'exit');
    vi.advanceTimersByTime(20_000);
    for (const attempt of await Promise.all(attempts))
      expect(attempt).toMatchObject({ status: null, error: 'internal error: the sender did not respond' });
    expect((await sender.send(message(quick.port))).status).toBe(204);
    await exited;
    expect(quick.received).toHaveLength(1);
    sender.close();
  });

  it('drops an attempt at once when its signal is aborted', async () => {
    await using silent = await startHostileReceiver(hostileReceivers.silence as () => void);
    const sender = openSenderThread({ allowPrivate: true });
    const stopping = new AbortController();
    const cutOff = sender.send(message(silent.port), stopping.signal);
    await expect.poll(() => silent.connections).toBe(1);
    stopping.abort(new Error('the service stopped'));
    expect(await cutOff).toMatchObject({ status: null, error: 'the service stopped' });
    sender.close();
  });
});
