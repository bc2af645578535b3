/** The key with its last character changed: well-formed, but invalid. */
export const alteredKey = (key: string): string => key.slice(0, -1) + (key.endsWith('A') ? 'B' : 'A');

/** The key cut off or in another case. A static key may be in one case, and is then not among them. */
export const misspelledKeys = (key: string): string[] =>
  [key.slice(0, -1), key.slice(0, -6), key.toUpperCase(), key.toLowerCase()].filter((other) => other !== key);
