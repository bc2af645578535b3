import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bug, BugHooks } from '../src/bugs/bug.ts';
import { startBugProxy } from '../src/bugs/bug-proxy.ts';
import { catalogue } from '../src/bugs/catalogue.ts';
import type { BugEffect } from '../src/bugs/exchange.ts';
import { operationOf } from '../src/bugs/operations.ts';
import { openStores } from '../src/suite/open-stores.ts';
import { attackDay } from './support/attack-day.ts';
import { callerOf, typicalUse } from './support/typical-use.ts';

describe('a planted bug', () => {
  let stores: Awaited<ReturnType<typeof openStores>>;
  beforeAll(async () => {
    stores = await openStores();
  });
  afterAll(() => stores?.[Symbol.asyncDispose]());

  /** What the hooks do on an ordinary day, and on that of an attacker. */
  const fires = async (hooks: BugHooks, { operation, owasp }: Partial<Bug>): Promise<BugEffect[]> => {
    const fired: BugEffect[] = [];
    const target = Number(new URL(stores.address).port);
    const onEffect = (effect: BugEffect) => fired.push(effect);
    await using proxy = await startBugProxy({ target, operation, hooks, onEffect });
    const call = callerOf(proxy.origin, stores.key);
    if (owasp === undefined) await typicalUse(call);
    else await attackDay(call, stores);
    return fired;
  };

  it.for(catalogue)('fires only in $operation: $id', async (bug) => {
    const fired = await fires(bug.createHooks(), bug);
    expect(fired).not.toEqual([]);
    expect(new Set(fired.map(({ forwarded }) => operationOf(forwarded)))).toEqual(new Set([bug.operation]));
  });

  it('never fires against an unmodified service', async () => {
    const harmless: BugHooks = { watch: () => {}, request: () => {}, response: () => {} };
    expect(await fires(harmless, {})).toEqual([]);
    expect(await fires(harmless, { owasp: 'API1:2023' })).toEqual([]);
  });
});
