/** What a key may do: everything, or only what changes nothing. */
export const keyScopes = ['full', 'read'] as const;
export type KeyScope = (typeof keyScopes)[number];
