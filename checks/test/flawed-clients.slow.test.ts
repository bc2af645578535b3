import { describe, expect, it } from 'vitest';
import { careful, flawedClients, type Language, unusualClients } from './support/flawed-clients.ts';
import { HANGING_SECONDS, hanging, NO_LIMIT, TIMEOUT_MS } from './support/problems-of.ts';
import { problemsOfClient } from './support/problems-of-client.ts';

/** A flawed client may also wait indefinitely for an event that it has skipped. */
const mayHang = (id: string) => hanging.has(id) || id === 'stream-resumes';

describe.concurrent('check-client', () => {
  it.for(flawedClients)('fails a client that $does ($language)', async (client) => {
    const seconds = client.fails.some(mayHang) ? HANGING_SECONDS : NO_LIMIT;
    const problems = await problemsOfClient(client, [...client.fails], seconds);
    expect(Object.keys(problems).toSorted()).toEqual(client.fails.toSorted());
    expect(Object.values(problems)).not.toContain('not tried');
  });

  it.for(unusualClients)(
    'passes a client that $does ($language)',
    { timeout: TIMEOUT_MS },
    async (client) => {
      expect(await problemsOfClient(client)).toEqual({});
    },
  );

  it.for(Object.keys(careful) as Language[])(
    'passes the careful client in %s',
    { timeout: TIMEOUT_MS },
    async (language) => {
      const problems = await problemsOfClient({ does: '', language, changes: [], fails: [] });
      expect(Object.values(problems).filter((problem) => problem !== 'not tried')).toEqual([]);
    },
  );
});
