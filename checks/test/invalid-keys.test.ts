import { expect, it } from 'vitest';
import { alteredKey, misspelledKeys } from '../src/service/invalid-keys.ts';

it.for([`pst_live_${'aB3'.repeat(12)}xY`, 'pst_test_local', 'PST-TEST-LOCAL', '0123456789'])(
  'no damaged form of %s is the key itself',
  (key) => {
    expect([alteredKey(key), ...misspelledKeys(key)]).not.toContain(key);
    expect(alteredKey(key).toLowerCase()).not.toBe(key.toLowerCase());
    expect(misspelledKeys(key).length).toBeGreaterThan(1);
  },
);

it('the altered key differs from a signed token in more than bits that Base64 ignores', () => {
  const bytes = (token: string) => Buffer.from(token.split('.').at(-1) ?? '', 'base64url');
  for (const last of ['A', 'Q', 'g', 'w']) {
    const token = `e30.e30.${'x'.repeat(85)}${last}`;
    expect(bytes(alteredKey(token))).not.toEqual(bytes(token));
  }
});

it('a key that is used without regard to case is altered in more than its case', () => {
  expect(alteredKey('3f2a-aaaa').toLowerCase()).not.toBe('3f2a-aaaa');
});
