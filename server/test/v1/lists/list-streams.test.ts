import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { listStreams } from '../../../src/v1/list-streams.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function openStreams() {
  const streams = listStreams();
  return async (tenantId: bigint) => {
    const permit = await streams.acquire(tenantId);
    const rows = Readable.from(['[', ']']).once('close', () => permit[Symbol.dispose]());
    streams.add(tenantId, rows);
    return rows;
  };
}

it('a stream makes way even if nothing reads it yet, because a fault delays its response', async () => {
  const open = openStreams();
  const [oldest] = await Promise.all([1n, 1n, 1n, 1n, 2n, 2n].map(open));
  const next = open(3n);
  await vi.advanceTimersByTimeAsync(5_000);
  await next;
  expect(oldest?.errored).toMatchObject({ code: 'unavailable' });
});
