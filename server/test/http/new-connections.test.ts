import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { setImmediate as nextTick } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { postponeSlices, yieldToEventLoop } from '../../src/concurrency/yield-to-event-loop.ts';
import { requestedOrigin, type Servers } from '../../src/http/server/addresses.ts';
import { sqlite } from '../support/engines.ts';
import { startService } from '../support/service.ts';

/** How long connections may take that a full backlog would otherwise keep from opening. */
const TIMEOUT_MS = 60_000;
const MAX_BACKLOG = '/proc/sys/net/core/somaxconn';

/** Opens connections on another thread. Blocks this one meanwhile, so that all wait in the kernel's queue. */
function queueConnections(port: number, count: number, request = ''): Worker {
  const opened = new Int32Array(new SharedArrayBuffer(4));
  const connectAll = `
    const { connect } = require('node:net');
    const { workerData: { port, count, request, opened } } = require('node:worker_threads');
    for (let i = 0; i < count; i++) {
      const socket = connect(port, '127.0.0.1', () => {
        socket.write(request, () => Atomics.add(opened, 0, 1) + 1 === count && Atomics.notify(opened, 0));
      });
      socket.on('error', () => {});
    }
  `;
  const clients = new Worker(connectAll, { eval: true, workerData: { port, count, request, opened } });
  const until = performance.now() + TIMEOUT_MS;
  for (let seen = 0; seen < count; seen = Atomics.load(opened, 0)) {
    if (performance.now() > until) throw new Error(`only ${seen} of ${count} connections could be opened`);
    Atomics.wait(opened, 0, seen, 10);
  }
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

it('more than Node’s default of 511 connections wait in the queue, as many as the kernel allows', async () => {
  const count = Math.min(1_000, Number(readFileSync(MAX_BACKLOG, 'utf8')));
  await using service = await startService(sqlite);
  const clients = queueConnections(service.port, count);
  await clients.terminate();
});

it.each([
  ['of the same bytes for every client', 'x'],
  ['in chunks', 'fifth'],
])('long responses %s are started between queued connections, without delaying them', async (_, host) => {
  const count = 200;
  const path = '/v2/openapi.json';
  const servers: Servers = (request) => [{ name: 'production', origin: requestedOrigin(request) }];
  await using service = await startService(sqlite, { servers });
  for (const known of ['x', 'second', 'third', 'fourth', host])
    await service.request(`GET ${path}`, { headers: { host: known } });
  const sockets: Socket[] = [];
  const { promise: startedBefore, resolve } = Promise.withResolvers<number>();
  service.app.server.on('connection', (socket) => {
    sockets.push(socket);
    if (sockets.length === count) resolve(sockets.filter(({ bytesWritten }) => bytesWritten > 0).length);
  });
  const clients = queueConnections(service.port, count, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  expect(await startedBefore).toBeLessThan(count / 10);
  await clients.terminate();
});

it('slices wait for connections no longer than a quarter of a second, however long the ticks', async () => {
  const block = new Int32Array(new SharedArrayBuffer(4));
  let slices = 0;
  let isOver = false;
  const producing = (async () => {
    for (; !isOver; slices++) await yieldToEventLoop();
  })();
  for (let tick = 0; tick < 20; tick++) {
    postponeSlices();
    Atomics.wait(block, 0, 0, 100);
    await nextTick();
  }
  isOver = true;
  expect(slices).toBeGreaterThan(1);
  await producing;
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
