const LONGEST = 128;

/** In characters (code points) of the NFKC form, which is also hashed. */
export const passwordLimits = {
  shortest: 10,
  longest: LONGEST,
  /** NFKC makes one character of at most four. */
  longestSent: 4 * LONGEST,
} as const;
