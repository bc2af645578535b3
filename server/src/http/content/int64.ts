const plainDecimal = /^(?:0|-?[1-9][0-9]{0,18})$/;

/** A 64-bit integer in plain decimal form; undefined for anything else, so that no two texts mean one id. */
export function parseInt64(text: string): bigint | undefined {
  if (!plainDecimal.test(text)) return undefined;
  const value = BigInt(text);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}
