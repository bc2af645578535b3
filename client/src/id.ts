/** An id as a caller may give it: a number must be one that is exact, a text its plain decimal digits. */
export type Id = bigint | number | string;

/** Each id has one way to be written, so that none is another's. */
export const plainDigits = /^(0|-?[1-9]\d{0,18})$/;

/** Refuses a number that may have been rounded, and digits such as `01`: each could name another order. */
export function idText(id: Id): string {
  if (typeof id === 'bigint' || Number.isSafeInteger(id)) return String(id);
  if (typeof id === 'string' && plainDigits.test(id)) return id;
  throw new TypeError(
    'an id is a bigint, a text of plain decimal digits, or a number that is a safe integer',
  );
}
