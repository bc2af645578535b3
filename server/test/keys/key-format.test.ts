import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generateKey, hashKey, keyInText, keyMatcher } from '../../src/domain/key-format.ts';
import { anyCharacter } from '../support/any-character.ts';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

describe('a key', () => {
  it.each([
    ['production', 'pst_live_'],
    ['staging', 'pst_test_'],
  ] as const)('of %s is %s, 32 random characters and 6 of checksum', (deployment, prefix) => {
    const keys = new Set(Array.from({ length: 500 }, () => generateKey(deployment)));
    expect(keys.size).toBe(500);
    for (const key of keys) {
      expect(key).toMatch(new RegExp(`^${prefix}[0-9A-Za-z]{38}$`));
      expect(keyMatcher(deployment)(key)).toBe(true);
      expect(keyMatcher(deployment === 'staging' ? 'production' : 'staging')(key)).toBe(false);
      let sum = 0;
      for (const digit of key.slice(-6)) sum = sum * 62 + base62.indexOf(digit);
      expect(sum).toBe(crc32(key.slice(0, -6)));
    }
  });

  it('uses every character of base62', () => {
    const used = new Set(Array.from({ length: 200 }, () => generateKey('production').slice(9, 41)).join(''));
    expect([...used].sort().join('')).toBe([...base62].sort().join(''));
  });

  it('does not match any other text', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 60 }), (text) => {
        expect(keyMatcher('production')(text)).toBe(false);
        expect(keyMatcher('production')(`pst_live_${text}`)).toBe(false);
      }),
    );
  });

  it('with extra characters is invalid', () => {
    const key = generateKey('production');
    for (const text of [`${key}\n`, `\n${key}`, ` ${key}`, `${key} `, `${key}\0`, key + key]) {
      expect(keyMatcher('production')(text)).toBe(false);
    }
  });

  it('with two adjacent characters swapped is invalid', () => {
    for (let round = 0; round < 20; round++) {
      const key = generateKey('production');
      for (let i = 9; i < key.length - 1; i++) {
        if (key[i] === key[i + 1]) continue;
        const swapped = key.slice(0, i) + key[i + 1] + key[i] + key.slice(i + 2);
        expect([swapped, keyMatcher('production')(swapped)]).toEqual([swapped, false]);
      }
    }
  });

  it('is identified by its SHA-256', () => {
    const key = generateKey('production');
    expect(hashKey(key)).toBe(createHash('sha256').update(key).digest('hex'));
  });

  it('is detected inside other text', () => {
    const key = generateKey('staging');
    expect(`before${key}after ${key}`.replace(keyInText, '$1…')).toBe('beforepst_test_… pst_test_…');
  });
});
