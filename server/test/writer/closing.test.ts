import { describe, expect, it } from 'vitest';
import { openDeployment } from '../../src/app/open-deployment.ts';
import { Unavailable } from '../../src/database/engine.ts';
import { recordKeyUse } from '../../src/keys/key-use.ts';
import { engines } from '../support/engines.ts';

describe.each(engines)('a closing writer on $name', (engine) => {
  it('ends, and so does a change that arrives too late, done or not', async () => {
    await using database = await engine.create();
    const deployment = await openDeployment('production', database.location);
    const { writer } = deployment;
    const change = () => writer.apply(recordKeyUse, { uses: [] });
    await change();
    const closing = writer.close();
    const late = Promise.allSettled([change(), closing.then(change)]);
    await closing;
    const [meanwhile, after] = await late;
    if (meanwhile.status === 'rejected') expect(meanwhile.reason).toBeInstanceOf(Unavailable);
    expect(after).toMatchObject({ status: 'rejected', reason: expect.any(Unavailable) });
    await deployment[Symbol.asyncDispose]();
  });
});
