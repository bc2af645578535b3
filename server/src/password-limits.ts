const LONGEST = 128;

/** How long a password may be, in characters (code points) of its NFKC form, in which it is also hashed. */
export const passwordLimits = {
  shortest: 10,
  longest: LONGEST,
  /** NFKC makes one character of at most four, so what is sent longer than this stays too long. */
  longestSent: 4 * LONGEST,
} as const;
