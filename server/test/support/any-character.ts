import fc from 'fast-check';

/** Any code point but surrogates. Unlike fast-check's `binary`, it builds no list of them first, which takes a second. */
export const anyCharacter = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((code) => String.fromCodePoint(code));
