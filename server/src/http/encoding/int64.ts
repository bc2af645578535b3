const plainDecimal = /^(?:0|-?[1-9][0-9]{0,18})$/;

/** Plain decimal form only, so that every id has exactly one spelling. */
export function parseInt64(text: string): bigint | undefined {
  return plainDecimal.test(text) ? asInt64(BigInt(text)) : undefined;
}

export function asInt64(value: unknown): bigint | undefined {
  return typeof value === 'bigint' && BigInt.asIntN(64, value) === value ? value : undefined;
}

const jsonNumber = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
const MAX_DIGITS = 19;

/** Integers in any JSON notation. Counts zeros before writing them, so that `1e999999999` costs nothing. */
export function exactInteger(source: string): bigint | undefined {
  const match = jsonNumber.exec(source);
  if (!match) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const all = whole + fraction;
  let [start, end] = [0, all.length];
  while (all[start] === '0') start++;
  while (end > start && all[end - 1] === '0') end--;
  if (start === end) return 0n;
  const zeros = Number(exponent) + (all.length - end) - fraction.length;
  if (zeros < 0 || end - start + zeros > MAX_DIGITS) return undefined;
  return asInt64(BigInt(sign + all.slice(start, end) + '0'.repeat(zeros)));
}
