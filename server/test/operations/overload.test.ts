import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { fairShareLimit } from '../../src/concurrency/fair-share-limit.ts';
import { keyedSemaphore } from '../../src/concurrency/keyed-semaphore.ts';
import { createAdmission } from '../../src/http/guards/admission.ts';
import type { Request } from '../../src/http/server/request.ts';
import type { Writer } from '../../src/writer/writer.ts';
import { sqlite } from '../support/engines.ts';
import { openSocket, type Response } from '../support/http.ts';
import { useService } from '../support/service.ts';

describe('a change queue beyond its capacity', () => {
  const pendingWrite = Promise.withResolvers<never>();
  const writer: Writer = {
    apply: () => pendingWrite.promise,
    onCommit: () => () => {},
    close: async () => {},
  };
  const service = useService(sqlite, { writer });

  it('503 with Retry-After for the store that fills it, while others are served', async () => {
    const [greedy, modest] = [await service().openStore(), await service().openStore()];
    const sendRequest = (key: string) => service().request('DELETE /v1/store/orders/2', { key });
    const rejected: Response[] = [];
    const allRejected = Promise.withResolvers<void>();
    const responses = Array.from({ length: 1228 }, async () => {
      const response = await sendRequest(greedy.key);
      if (response.status === 503 && rejected.push(response) === 76) allRejected.resolve();
      return response.status;
    });
    await allRejected.promise;
    const others = Array.from({ length: 10 }, () => sendRequest(modest.key));
    pendingWrite.resolve(undefined as never);
    expect((await Promise.all(responses)).filter((status) => status === 204)).toHaveLength(1152);
    for (const { headers, json } of rejected)
      expect([headers['retry-after'], json()]).toMatchObject(['1', { code: 'unavailable' }]);
    for (const response of [...(await Promise.all(others)), await sendRequest(greedy.key)])
      expect(response.status).toBe(204);
  });
});

describe('a store at its share of concurrent changes', () => {
  const pendingWrite = Promise.withResolvers<never>();
  const writer: Writer = {
    apply: () => pendingWrite.promise,
    onCommit: () => () => {},
    close: async () => {},
  };
  const service = useService(sqlite, { writer, maxChanges: 2 });
  const head = (key: string) =>
    `POST /v2/store/orders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n`;
  const change = (key: string) => service().request('DELETE /v1/store/orders/2', { key });

  it('is rejected before the body of a further one is read', async () => {
    const { key } = await service().openStore();
    const responses = [1, 2, 3].map(() => change(key));
    expect((await Promise.race(responses)).status).toBe(503);
    await using socket = await openSocket(service().port);
    socket.write(head(key));
    const [response] = await once(socket, 'data');
    expect(String(response)).toMatch(/^HTTP\/1\.1 503 .*\r\nretry-after: 1\r\n.*"code":"unavailable"/s);
    expect((await service().request('GET /v1/pets', { key })).status).toBe(200);
    pendingWrite.resolve(undefined as never);
    const statuses = (await Promise.all(responses)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([204, 204, 503]);
  });

  it('has its share back after changes were aborted on the way', async () => {
    const { key } = await service().openStore();
    const given = await Promise.all([1, 2].map(() => openSocket(service().port)));
    for (const socket of given) socket.write(head(key));
    const statusOfChange = async () => (await change(key)).status;
    await expect.poll(statusOfChange).toBe(503);
    for (const socket of given) socket.destroy();
    await expect.poll(statusOfChange).toBe(204);
  });
});

describe('fair shares', () => {
  it('are equal: owners below their share are never rejected; those above are, and are evicted', () => {
    const shares = fairShareLimit(4);
    const taken = (owner: bigint, times: number) =>
      Array.from({ length: times }, () => shares.tryAcquire(owner));
    expect(taken(1n, 5)).toEqual([true, true, true, true, false]);
    expect(taken(2n, 3)).toEqual([true, true, false]);
    for (const owner of [1n, 1n, 1n]) shares.release(owner);
    expect(taken(1n, 2)).toEqual([true, false]);
  });
});

describe('a keyed semaphore', () => {
  it('has one timeout of five seconds for the limit of the key and the overall limit together', async () => {
    vi.useFakeTimers();
    try {
      const semaphore = keyedSemaphore(1, 2);
      const own = await semaphore.acquire(1n);
      await semaphore.acquire(2n);
      let outcome = 'waiting';
      const other = semaphore.acquire(3n);
      void semaphore.acquire(1n).catch(() => {
        outcome = 'rejected';
      });
      await vi.advanceTimersByTimeAsync(4_000);
      // The waiter's key now has capacity, but overall there is none: another key waited longer.
      own[Symbol.dispose]();
      await other;
      await vi.advanceTimersByTimeAsync(999);
      expect(outcome).toBe('waiting');
      await vi.advanceTimersByTimeAsync(1);
      expect(outcome).toBe('rejected');
      expect(semaphore.usage(1n)).toEqual({ taken: 0, waiting: 0 });
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('rejections', () => {
  it('increase Retry-After with their number, so that immediate retries do not affect others', async () => {
    const guard = createAdmission(0)(() => 1n);
    const rejected = async () => {
      const arrivedAt = performance.now();
      await expect(guard({ method: 'POST', arrivedAt } as Request)).rejects.toThrow();
      return 'rejected';
    };
    // Timers fire in order of their times, even if they are late.
    const within500Ms = (domainError: Promise<string>) => Promise.race([domainError, sleep(500, 'held')]);
    const rejections = Array.from({ length: 300 }, rejected);
    expect(await within500Ms(rejections.at(-1) as Promise<string>)).toBe('held');
    await Promise.all(rejections);
    expect(await within500Ms(rejected())).toBe('rejected');
  });
});
