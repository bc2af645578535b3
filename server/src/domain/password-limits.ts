const MAX_LENGTH = 128;

/** In characters (code points) of the NFKC form, which is also hashed. */
export const passwordLimits = {
  shortest: 10,
  longest: MAX_LENGTH,
  /** NFKC makes one character of at most four. */
  maxSentLength: 4 * MAX_LENGTH,
} as const;
