import { describe, expect, it } from 'vitest';
import { consistsOf, weaknessOf } from '../../src/accounts/password-rules.ts';
import { passwordLimits } from '../../src/domain/password-limits.ts';

const isWeakPassword = (password: string, email: string) => weaknessOf(password, email) !== undefined;

describe('a password is weak', () => {
  it.each([
    'short-9-c',
    'x'.repeat(129),
    'password123',
    'Password123!',
    'P@ssw0rd2024',
    'passwordpassword',
    'qwertyuiop',
    'qwerty12345',
    '1234567890',
    '0987654321',
    '19841225198',
    'aaaaaaaaaaaa',
    'abababababab',
    'abc123abc123',
    'iloveyou123',
    'ILoveYou!!!',
    'letmein12345',
    'welcome2024!',
    'welcome-2024',
    'superman1234',
    'liverpool2019',
    'charlotte1!',
    'sunshine123',
    'footballmonkey',
    'qazwsxedc123',
    'asdfghjkl123',
    'zxcvbnm,./1',
    'changeme2026',
    'administrator',
    'trustno1trustno1',
  ])('when it is %s', (password) => {
    expect(isWeakPassword(password, 'jo@example.com')).toBe(true);
  });

  it('when it is the address plus a year', () => {
    expect(isWeakPassword('marigoldsmith1984', 'marigold.smith@example.com')).toBe(true);
  });

  it.each([
    'tangerine-84-quarry',
    'correct horse battery staple',
    'vLq8!rT2#xWz',
    'ten chars!',
    '我的狗喜欢吃苹果和香蕉',
    'mustache-waffle',
    '94837261504837261',
    `${'x1-'.repeat(41)}quarry`.slice(0, 128),
  ])('but not when it is %s', (password) => {
    expect(isWeakPassword(password, 'jo@example.com')).toBe(false);
  });
});

describe('the length of a password', () => {
  const { shortest, longest, maxSentLength } = passwordLimits;
  const weak = (password: string) => isWeakPassword(password, 'jo@example.com');

  it('is that of its NFKC form or its original form, whichever is longer', () => {
    // Each of these becomes three letters, or eighteen.
    expect(weak(`tangerine-84-quarry${'ﬃ'.repeat(40)}`)).toBe(true);
    expect(weak(`tangerine-84-quarry${'ﷺ'.repeat(100)}`)).toBe(true);
    expect(weak(`quarry-84${'ﬃ'.repeat(30)}`)).toBe(false);
    // Each syllable becomes one character of three.
    const syllables = '강아지가사과를먹는다'.repeat(8).normalize('NFD');
    expect(syllables.length).toBeGreaterThan(longest);
    expect(weak(`${syllables}-84-quarry`)).toBe(false);
    expect(weak('강아지가사'.normalize('NFD'))).toBe(true);
    expect([...'강아지가사'.normalize('NFD')].length).toBeGreaterThanOrEqual(shortest);
  });

  it('accept four times the maximum length, because NFKC can shorten text to a quarter', () => {
    const codes = Array.from({ length: 0x110000 }, (_, code) => code);
    const characters = codes.filter((code) => code < 0xd800 || code > 0xdfff);
    const parts = characters.map((code) => [...String.fromCodePoint(code).normalize('NFD')].length);
    expect(parts.reduce((most, count) => Math.max(most, count), 0) * longest).toBe(maxSentLength);
  });

  it('bounds the cost of the substring search', () => {
    const steps = (length: number) => {
      let count = 0;
      // Of short pieces there are more rows than could be tried one by one.
      const isChunk = (step: string) => {
        count++;
        return (step.length === 3 || step.length === 4) && !step.includes('!');
      };
      expect(consistsOf(isChunk, 26, `${'a'.repeat(length - 1)}!`)).toBe(false);
      return count;
    };
    expect(steps(64)).toBeLessThanOrEqual(64 * 26);
    expect(steps(128)).toBeLessThanOrEqual(128 * 26);
  });
});
