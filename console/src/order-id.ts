const LARGEST = 2n ** 63n - 1n;

/** Parses an order ID such as `41` or `#41`, or returns an error. */
export function parseOrderId(text: string): { id: bigint } | { rejected: string } {
  const digits = text.trim().replace(/^#\s*/, '');
  if (!/^\d+$/.test(digits)) return { rejected: 'Enter an order ID, such as 41' };
  const id = BigInt(digits);
  return id <= LARGEST ? { id } : { rejected: `The largest order ID is ${LARGEST}` };
}
