import { expect, it } from 'vitest';
import { alteredKey, misspelledKeys } from '../src/service/invalid-keys.ts';

it.for([`pst_live_${'aB3'.repeat(12)}xY`, 'pst_test_local', 'PST-TEST-LOCAL', '0123456789'])(
  'no damaged form of %s is the key itself',
  (key) => {
    expect([alteredKey(key), ...misspelledKeys(key)]).not.toContain(key);
    expect(misspelledKeys(key).length).toBeGreaterThan(1);
  },
);
