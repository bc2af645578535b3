import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBreakingProxy } from '../src/bugs/breaking-proxy.ts';
import type { Bug } from '../src/bugs/bug.ts';
import { catalogue } from '../src/bugs/catalogue.ts';
import type { Fired } from '../src/bugs/exchange.ts';
import { operationOf } from '../src/bugs/operations.ts';
import { callerOf, ordinaryDay } from './support/ordinary-day.ts';
import { startService } from './support/service.ts';

describe('a planted bug', () => {
  let service: Awaited<ReturnType<typeof startService>>;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service?.[Symbol.asyncDispose]());

  /** What the bug does on an ordinary day. */
  const fires = async ({ operation, breaks }: Bug): Promise<Fired[]> => {
    const fired: Fired[] = [];
    const { port: target, key } = service.staging;
    const onFired = (one: Fired) => fired.push(one);
    await using proxy = await startBreakingProxy({ target, operation, breaking: breaks(), onFired });
    await ordinaryDay(callerOf(proxy.origin, key));
    return fired;
  };

  it.for(catalogue)('fires on an ordinary day, in $operation and nowhere else: $id', async (bug) => {
    const fired = await fires(bug);
    expect(fired).not.toEqual([]);
    expect(new Set(fired.map(({ asked }) => operationOf(asked)))).toEqual(new Set([bug.operation]));
  });
});
