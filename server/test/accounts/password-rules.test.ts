import { describe, expect, it } from 'vitest';
import { isWeakPassword } from '../../src/accounts/password-rules.ts';

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

  it('when it is the address with a year behind it', () => {
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
