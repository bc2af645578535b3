import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { yieldToEventLoop } from '../../src/concurrency/yield-to-event-loop.ts';
import { sqlite } from '../support/engines.ts';
import { startService } from '../support/service.ts';

/** Opens connections on another thread. Blocks this one meanwhile, so that all wait in the kernel's queue. */
function queueConnections(port: number, count: number): Worker {
  const opened = new Int32Array(new SharedArrayBuffer(4));
  const connectAll = `
    const { connect } = require('node:net');
    const { workerData: { port, count, opened } } = require('node:worker_threads');
    for (let i = 0; i < count; i++)
      connect(port, '127.0.0.1', () => Atomics.add(opened, 0, 1) + 1 === count && Atomics.notify(opened, 0));
  `;
  const clients = new Worker(connectAll, { eval: true, workerData: { port, count, opened } });
  for (let seen = 0; seen < count; seen = Atomics.load(opened, 0)) Atomics.wait(opened, 0, seen, 10);
  return clients;
}

it('queued connections are accepted between slices of work, which still progress', async () => {
  const count = 200;
  await using service = await startService(sqlite);
  let slices = 0;
  let isOver = false;
  const produce = async () => {
    for (; !isOver; slices++) await yieldToEventLoop();
  };
  const slicesBefore: number[] = [];
  const { promise: allAccepted, resolve } = Promise.withResolvers<void>();
  service.app.server.on('connection', () => {
    slicesBefore.push(slices);
    if (slicesBefore.length === count) resolve();
  });
  const clients = queueConnections(service.port, count);
  const producers = Array.from({ length: 8 }, produce);
  await allAccepted;
  isOver = true;
  await Promise.all(producers);
  await clients.terminate();

  const between = (slicesBefore.at(-1) as number) - (slicesBefore[0] as number);
  expect(between).toBeGreaterThan(0);
  expect(between).toBeLessThan(count / 10);
});

it('an owner with few slices does not wait for one with many', async () => {
  const slices = { many: 0, few: 0 };
  let isOver = false;
  const produce = async (owner: keyof typeof slices) => {
    for (; !isOver; slices[owner]++) await yieldToEventLoop(owner);
  };
  const producers = Array.from({ length: 100 }, () => produce('many'));
  while (slices.few < 50) {
    await yieldToEventLoop('few');
    slices.few++;
  }
  isOver = true;
  await Promise.all(producers);
  expect(slices.many).toBeLessThanOrEqual(50 + 100 + 1);
});
