import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { listStreams } from '../../../src/v1/list-streams.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** PostgreSQL takes some time to open and close a snapshot. */
const snapshotChange = () => new Promise<void>((resolve) => setTimeout(resolve, 50));

function openStreams() {
  const streams = listStreams();
  return async (tenantId: bigint) => {
    const permit = await streams.acquire(tenantId);
    await snapshotChange();
    const close = () => void snapshotChange().then(() => permit[Symbol.dispose]());
    const rows = Readable.from(['[', ']']).once('close', close);
    streams.add(tenantId, rows);
    return rows;
  };
}

it('a stream makes way even if nothing reads it yet, because a fault delays its response', async () => {
  const open = openStreams();
  const opening = Promise.all([1n, 1n, 1n, 1n, 2n, 2n].map(open));
  await vi.advanceTimersByTimeAsync(50);
  const [oldest] = await opening;
  const next = open(3n);
  await vi.advanceTimersByTimeAsync(5_000);
  await next;
  expect(oldest?.errored).toMatchObject({ code: 'unavailable' });
});

it('a store takes no more from another than leaves both the same number', async () => {
  const open = openStreams();
  const opening = Promise.all([1n, 1n, 1n, 1n, 2n, 2n].map(open));
  await vi.advanceTimersByTimeAsync(50);
  const first = await opening;
  const next = Promise.allSettled([open(3n), open(3n), open(3n), open(3n)]);
  await vi.advanceTimersByTimeAsync(5_000);
  expect((await next).map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
    'rejected',
  ]);
  expect(first.filter(({ destroyed }) => destroyed)).toHaveLength(2);
});
