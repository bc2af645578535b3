import { expect, it } from 'vitest';
import { originOf } from '../src/base-address.ts';

it.each(['', '/', '/v1', '/v1/', '/v2', '/v2/', '/v1//'])(
  '%s at the end of a base address is accepted',
  (end) => {
    expect(originOf(`http://127.0.0.1:8080${end}`)).toBe('http://127.0.0.1:8080');
    expect(originOf(`https://pets.example/shop${end}`)).toBe('https://pets.example/shop');
  },
);

it.each([
  '127.0.0.1:8080',
  'pets.example/v1',
  'ftp://pets.example/v1',
  'http://me:secret@pets.example/v1',
  'http://pets.example/v1?a=1',
  '',
])('%s is not a base address', (text) => {
  expect(originOf(text)).toBeUndefined();
});

it.each(['http://pets.example/v3', 'http://pets.example/v1/pets', 'http://pets.example/dev1'])(
  '%s is used unchanged',
  (text) => {
    expect(originOf(text)).toBe(text);
  },
);
