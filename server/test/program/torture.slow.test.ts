import { describe, expect, it } from 'vitest';
import { ROUNDS } from '../support/effort.ts';
import { databases } from '../torture/databases.ts';
import { torture } from '../torture/torture.ts';

describe.each([
  ['sqlite', '1'],
  ['sqlite', '2'],
  ['postgres', '1'],
] as const)('kill -9 under 64 writers on %s with workers: %s', (engine, workers) => {
  it(`${ROUNDS} times: acknowledged changes exist, others are complete or absent, and nothing else`, {
    timeout: 300_000 + 60_000 * ROUNDS,
  }, async () => {
    await using database = await databases[engine]();
    const { violations, acknowledged } = await torture(
      { ...database, flags: [...database.flags, '--workers', workers] },
      ROUNDS,
    );
    expect(violations).toEqual([]);
    expect(acknowledged).toBeGreaterThan(0);
  });
});
