import { describe, expect, it } from 'vitest';
import { HANGING_SECONDS, hanging, NO_LIMIT, TIMEOUT_MS } from './support/problems-of.ts';
import { problemsOfTrap } from './support/problems-of-trap.ts';
import { careful, type Language, traps, variants } from './support/traps.ts';

/** A trap may wait for an event that it has skipped, too. */
const mayHang = (id: string) => hanging.has(id) || id === 'stream-resumes';

describe.concurrent('check-client', () => {
  it.for(traps)('fails a client that $does ($language)', async (trap) => {
    const seconds = trap.fails.some(mayHang) ? HANGING_SECONDS : NO_LIMIT;
    const problems = await problemsOfTrap(trap, [...trap.fails], seconds);
    expect(Object.keys(problems).toSorted()).toEqual(trap.fails.toSorted());
    expect(Object.values(problems)).not.toContain('not tried');
  });

  it.for(variants)('passes a client that $does ($language)', { timeout: TIMEOUT_MS }, async (variant) => {
    expect(await problemsOfTrap(variant)).toEqual({});
  });

  it.for(Object.keys(careful) as Language[])(
    'passes the careful client in %s',
    { timeout: TIMEOUT_MS },
    async (language) => {
      const problems = await problemsOfTrap({ does: '', language, changes: [], fails: [] });
      expect(Object.values(problems).filter((problem) => problem !== 'not tried')).toEqual([]);
    },
  );
});
