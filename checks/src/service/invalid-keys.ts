/**
 * The key with one character changed: well-formed, but invalid. Not the last one, of which a decoder of Base64 may ignore some
 * bits, as in a signed token, and not only its case.
 */
export function alteredKey(key: string): string {
  const at = Math.max(0, key.length - 4);
  return `${key.slice(0, at)}${/a/i.test(key.charAt(at)) ? 'B' : 'A'}${key.slice(at + 1)}`;
}

/** The key cut off, in upper case and in lower case; without the key itself, which may be all in one case. */
export const misspelledKeys = (key: string): string[] =>
  [key.slice(0, -1), key.slice(0, -6), key.toUpperCase(), key.toLowerCase()].filter((other) => other !== key);
