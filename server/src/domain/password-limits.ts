const MAX_LENGTH = 128;

/** In code points of the NFKC form, which is also what is hashed. */
export const passwordLimits = {
  shortest: 10,
  longest: MAX_LENGTH,
  /** NFKC composes at most four characters into one. */
  maxSentLength: 4 * MAX_LENGTH,
} as const;
