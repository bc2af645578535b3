/** An id as a caller may give it. A number must be one that is exact. */
export type Id = bigint | number;

/** Refuses a number that may have been rounded: it could name another order. */
export function idText(id: Id): string {
  if (typeof id === 'bigint' || Number.isSafeInteger(id)) return String(id);
  throw new TypeError('an id is a bigint, or a number that is a safe integer');
}
