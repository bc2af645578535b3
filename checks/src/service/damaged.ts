/** The key with its last character changed: well-formed, but invalid. */
export const alteredKey = (key: string): string => key.slice(0, -1) + (key.endsWith('A') ? 'B' : 'A');
