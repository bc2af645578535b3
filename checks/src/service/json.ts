type Reviver = (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown;

/**
 * Parses JSON with every integer as a bigint, taken from its text: a rounded identifier would hide
 * exactly the faults that the checks look for. `1.0` and `1e0` stay numbers, so they do not count as integers.
 */
export function parseExact(text: string): unknown {
  const exact: Reviver = (_key, value, context) =>
    typeof value === 'number' && /^-?\d+$/.test(context.source ?? '') ? BigInt(context.source ?? '') : value;
  return JSON.parse(text, exact as (this: unknown, key: string, value: unknown) => unknown);
}
