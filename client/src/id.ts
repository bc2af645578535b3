/** An id: a bigint, a safe integer, or a string of decimal digits. */
export type Id = bigint | number | string;

/** Ids have one canonical form. */
export const plainDigits = /^(0|-?[1-9]\d{0,18})$/;

/** Rejects unsafe integers, and digits such as `01`: they could name another order. */
export function idText(id: Id): string {
  if (typeof id === 'bigint' || Number.isSafeInteger(id)) return String(id);
  if (typeof id === 'string' && plainDigits.test(id)) return id;
  throw new TypeError(
    'an ID must be a bigint, a safe integer, or a string of decimal digits without leading zeros',
  );
}
