import { afterEach, describe, expect, it, vi } from 'vitest';
import { parseJson } from '../../src/http/encoding/json.ts';
import { ApiError } from '../../src/http/errors.ts';
import { hostileJson } from '../support/hostile-json.ts';

afterEach(() => void vi.restoreAllMocks());

/** The parsed text, or the message of its rejection. */
async function read(text: string): Promise<unknown> {
  try {
    return await parseJson(text);
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}

describe('the JSON reader', () => {
  it('rejects integers with more digits than 64 bits have', async () => {
    const bigInts = vi.spyOn(globalThis, 'BigInt');
    for (const text of hostileJson) await read(text);
    const longest = Math.max(...bigInts.mock.calls.map(([digits]) => String(digits).length));
    bigInts.mockRestore();
    expect(longest).toBeGreaterThan(0);
    expect(longest).toBeLessThanOrEqual(20);
  });

  it.each([
    ['3', 3n],
    ['-3.0', -3n],
    ['1e3', 1000n],
    ['9007199254740993.0', 9007199254740993n],
    ['9007199254740.993e3', 9007199254740993n],
    ['9223372036854775807', 9223372036854775807n],
    ['-9223372036854775808.00', -9223372036854775808n],
    ['-0', 0n],
    ['0.5', 0.5],
    ['9223372036854775808', 2 ** 63],
    ['1e999999999', Number.POSITIVE_INFINITY],
    ['"3"', '3'],
  ])('%s is %s', async (text, value) => {
    expect(await parseJson(text)).toBe(value);
  });

  it('rejects a duplicate field, even if escaped differently, but only in the same object', async () => {
    expect(await read('{"a":1,"b":{"a":2},"c":[{"a":3},{"a":4}]}')).toMatchObject({ a: 1n, b: { a: 2n } });
    for (const text of [
      '{"a":1,"a":1}',
      '{"a":1,"\\u0061":1}',
      '[{"b":{"a":1,"c":[],"a":{}}}]',
      '{"":1,"":2}',
    ])
      expect([text, await read(text)]).toEqual([text, expect.stringContaining('duplicate')]);
  });

  it('accepts 1,000 fields of an object and no more, which would be created in one step', async () => {
    const fields = (count: number) =>
      `{${Array.from({ length: count }, (_, index) => `"${index}":0`).join()}}`;
    expect(Object.keys((await read(fields(1_000))) as object)).toHaveLength(1_000);
    expect(await read(fields(1_001))).toContain('too many fields');
    expect(await read(`[${fields(1_000)},${fields(1_000)}]`)).toHaveLength(2);
  });

  it('accepts 32 levels and no more; the contents of strings do not count', async () => {
    const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    expect(await read(nested(32))).toBeInstanceOf(Array);
    expect(await read(nested(33))).toContain('nested too deeply');
    expect(await read(`"${'['.repeat(1000)}\\"{:"`)).toContain('[[[');
  });
});
