const LONGEST = 254;
/** What browsers take for an address, too. */
const shape =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;

/** An address as it is kept: however it was written, it is the same one. */
export function normalAddress(text: string): string {
  return text.trim().toLowerCase();
}

export function isAddress(normal: string): boolean {
  return normal.length <= LONGEST && shape.test(normal);
}
