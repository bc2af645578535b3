import { describe, expect, it } from 'vitest';
import { ROUNDS } from '../support/effort.ts';
import { torture } from '../torture/torture.ts';
import { victims } from '../torture/victims.ts';

describe.each([
  ['sqlite', '1'],
  ['sqlite', '2'],
  ['postgres', '1'],
] as const)('kill -9 under 64 writers on %s with workers: %s', (engine, workers) => {
  it(`${ROUNDS} times: acknowledged changes exist, others are complete or absent, and nothing else`, {
    timeout: 300_000 + 60_000 * ROUNDS,
  }, async () => {
    await using victim = await victims[engine]();
    const { violations, acknowledged } = await torture(
      { ...victim, flags: [...victim.flags, '--workers', workers] },
      ROUNDS,
    );
    expect(violations).toEqual([]);
    expect(acknowledged).toBeGreaterThan(0);
  });
});
