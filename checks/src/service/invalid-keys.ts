/** The key with its last character changed: well-formed, but invalid. */
export const alteredKey = (key: string): string => key.slice(0, -1) + (key.endsWith('A') ? 'B' : 'A');

/** The key cut off, in upper case and in lower case; without the key itself, which may be all in one case. */
export const misspelledKeys = (key: string): string[] =>
  [key.slice(0, -1), key.slice(0, -6), key.toUpperCase(), key.toLowerCase()].filter((other) => other !== key);
