import { afterEach, describe, expect, it, vi } from 'vitest';
import { parseJson } from '../../src/http/content/json.ts';
import { ApiError } from '../../src/http/errors.ts';
import { hostileJson } from '../support/hostile-json.ts';

afterEach(() => void vi.restoreAllMocks());

/** What reading the text gives, or the message with which it is refused. */
function read(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}

describe('the JSON reader', () => {
  it('throws once at the most, whatever it is given: refusing is its only exception', () => {
    for (const text of hostileJson) {
      const parse = vi.spyOn(JSON, 'parse');
      read(text);
      const thrown = parse.mock.results.filter(({ type }) => type === 'throw');
      expect([text.slice(0, 30), thrown.length <= 1]).toEqual([text.slice(0, 30), true]);
      parse.mockRestore();
    }
  });

  it('parses text once, and after that only names with an escape in them', () => {
    const calls = (text: string) => {
      const parse = vi.spyOn(JSON, 'parse');
      read(text);
      const count = parse.mock.calls.length;
      parse.mockRestore();
      return count;
    };
    expect(calls(':'.repeat(65_536))).toBe(1);
    expect(calls('"\\x":'.repeat(13_000))).toBe(1);
    expect(calls('{"a":1,"b":{"c":2}}')).toBe(1);
    expect(calls('{"a":1,"\\u0062":2}')).toBe(2);
    expect(calls('['.repeat(65_536))).toBe(0);
  });

  it('makes no integer of more digits than 64 bits have', () => {
    const made = vi.spyOn(globalThis, 'BigInt');
    for (const text of hostileJson) read(text);
    const longest = Math.max(...made.mock.calls.map(([digits]) => String(digits).length));
    made.mockRestore();
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
  ])('%s is %s', (text, value) => {
    expect(parseJson(text)).toBe(value);
  });

  it('refuses a field that is there twice, however it is written, and only in the same object', () => {
    expect(read('{"a":1,"b":{"a":2},"c":[{"a":3},{"a":4}]}')).toMatchObject({ a: 1n, b: { a: 2n } });
    for (const text of [
      '{"a":1,"a":1}',
      '{"a":1,"\\u0061":1}',
      '[{"b":{"a":1,"c":[],"a":{}}}]',
      '{"":1,"":2}',
    ])
      expect([text, read(text)]).toEqual([text, expect.stringContaining('twice')]);
  });

  it('takes 32 levels and no more; what is inside a string does not count', () => {
    const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    expect(read(nested(32))).toBeInstanceOf(Array);
    expect(read(nested(33))).toContain('nested too deeply');
    expect(read(`"${'['.repeat(1000)}\\"{:"`)).toContain('[[[');
  });
});
