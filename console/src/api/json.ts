/** An int64 as its decimal digits: a `number` cannot hold every one of them. */
export type Id = string;

type Reviver = (key: string, value: unknown, context?: { source?: string }) => unknown;
const parseWith = JSON.parse as (text: string, reviver: Reviver) => unknown;

const idFields = new Set(['id', 'petId']);

/** Whether this browser shows a reviver the digits as they were sent. */
const seesSource = parseWith('1', (_, __, context) => context?.source) === '1';

/** Parses JSON with every id exact, as text. */
export function parseJson<T>(text: string, exact = seesSource): T {
  return parseWith(exact ? text : quoteLongIntegers(text), (key, value, context) =>
    typeof value === 'number' && idFields.has(key) ? (context?.source ?? String(value)) : value,
  ) as T;
}

/** Puts integers too long for a `number` in quotes, leaving alone whatever is inside of strings. */
function quoteLongIntegers(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])/g, (token) =>
    token.startsWith('"') ? token : `"${token}"`,
  );
}

/** Writes an object whose ids go out as the integers they are, on one line or with a line for each field. */
export function writeJson(fields: object, layout: 'line' | 'lines' = 'line'): string {
  const [colon, start, between, end] = layout === 'line' ? [':', '', ',', ''] : [': ', '\n  ', ',\n  ', '\n'];
  const written = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => {
      const digits = typeof value === 'bigint' || (idFields.has(name) && /^-?\d+$/.test(String(value)));
      return `${JSON.stringify(name)}${colon}${digits ? value : JSON.stringify(value)}`;
    });
  return `{${start}${written.join(between)}${end}}`;
}
