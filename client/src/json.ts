type Reviver = (key: string, value: unknown, context?: { source?: string }) => unknown;
const parseWith = JSON.parse as (text: string, reviver: Reviver) => unknown;

/** Int64 fields that are ids; amounts stay numbers. */
const exactFields = new Set(['id', 'petId', 'revision', 'seed']);
const digits = /^-?\d+$/;

/** Whether this runtime passes the source text to revivers. */
const seesSource = parseWith('1', (_, __, context) => context?.source) === '1';

/** Parses JSON with ids as bigint: numbers are not exact for all of them. */
export function parseJson(text: string, exact = seesSource): unknown {
  return parseWith(exact ? text : markLongIntegers(text), (key, value, context) => {
    const isMarked = !exact && typeof value === 'string' && value.startsWith('\0');
    if (!exactFields.has(key)) return isMarked ? Number(value.slice(1)) : value;
    if (isMarked) return BigInt(value.slice(1));
    const source = context?.source ?? String(value);
    return typeof value === 'number' && digits.test(source) ? BigInt(source) : value;
  });
}

/** Replaces integers too long for a number by marked strings, except inside strings. */
function markLongIntegers(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) =>
    /^-?\d{16,}$/.test(token) ? `"\\u0000${token}"` : token,
  );
}

/** Serializes JSON with bigints as integers. */
export function writeJson(value: unknown, indent = '', margin = ''): string | undefined {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = margin + indent;
  const write = (item: unknown) => writeJson(item, indent, inner);
  const parts = Array.isArray(value)
    ? value.map((item) => write(item) ?? 'null')
    : Object.entries(value).flatMap(([name, field]) => {
        const written = write(field);
        return written === undefined ? [] : [`${JSON.stringify(name)}:${indent && ' '}${written}`];
      });
  const all = indent && parts.length > 0 ? `\n${inner}${parts.join(`,\n${inner}`)}\n${margin}` : parts.join();
  return Array.isArray(value) ? `[${all}]` : `{${all}}`;
}
