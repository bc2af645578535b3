/** The key with its last character changed: the right shape, and not a key. */
export const damaged = (key: string): string => key.slice(0, -1) + (key.endsWith('A') ? 'B' : 'A');
