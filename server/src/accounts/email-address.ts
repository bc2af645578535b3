const LONGEST = 254;
/** The rule by which browsers check `<input type=email>`. */
const shape =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;

/** However an address is written, it is kept in one form. */
export function normalAddress(text: string): string {
  return text.trim().toLowerCase();
}

export function isAddress(normal: string): boolean {
  return normal.length <= LONGEST && shape.test(normal);
}
