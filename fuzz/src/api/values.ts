import type { Random } from '../random.ts';
import type { Schema } from './operations.ts';

/** Raw JSON text, including what `JSON.stringify` would never produce. */
export class Raw {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export const integers = [
  '0',
  '-0',
  '1',
  '-1',
  '2',
  '3',
  '13',
  '41',
  '255',
  '1000',
  '1001',
  '2147483647',
  '2147483648',
  '4294967296',
  '9007199254740991',
  '9007199254740992',
  '9007199254740993',
  '9223372036854775807',
  '9223372036854775808',
  '-9223372036854775808',
  '-9223372036854775809',
  '18446744073709551616',
  `1${'0'.repeat(400)}`,
];
const floats = ['1.5', '1.0', '1e2', '1E400', '-1e-400', '0.1', '1e308', '3.0000000000000000001', '2.5e-1'];
export const texts = [
  '',
  ' ',
  'a',
  '0',
  'null',
  'true',
  'undefined',
  'NaN',
  '\0',
  '\u0000x',
  '\n',
  '\r\nX-Evil: 1',
  '\u202eabc',
  '\ufeff',
  '\u200b',
  '\ud800',
  '\udfff\ud800',
  '𝔘𝔫𝔦',
  '🐶'.repeat(30),
  'ﷺ'.repeat(64),
  'ﬁ'.repeat(60),
  'ä'.normalize('NFD').repeat(40),
  'İ',
  'ß'.repeat(50),
  "' OR 1=1 --",
  '"; DROP TABLE orders; --',
  '<script>alert(1)</script>',
  '%24{jndi:ldap://x}',
  '{{7*7}}',
  '../../etc/passwd',
  '%00',
  '%',
  '%zz',
  '__proto__',
  'constructor',
  'toString',
  'a'.repeat(51),
  'a'.repeat(101),
  'a'.repeat(256),
  'x'.repeat(5000),
  ':'.repeat(2000),
  '2026-02-30T00:00:00Z',
  '2026-12-01T08:00:00Z',
  '2026-12-01',
  '9999-12-31T23:59:59.999Z',
  '0000-01-01T00:00:00Z',
  '10000-01-01T00:00:00Z',
];

/** A value that satisfies the schema. */
export function validValue(random: Random, schema: Schema, resolve: (schema: Schema) => Schema): unknown {
  const resolved = resolve(schema);
  const { const: constant, anyOf, oneOf, type, ...rest } = resolved;
  const choices = resolved.enum ?? resolved['x-extensible-enum'];
  if (constant !== undefined) return constant;
  if (choices) return random.pick(choices);
  const alternatives = anyOf ?? oneOf;
  if (alternatives) return validValue(random, random.pick(alternatives), resolve);
  const kind = Array.isArray(type) ? random.pick(type as string[]) : (type as string | undefined);
  if (kind === 'integer' || kind === 'number') return validInteger(random, rest);
  if (kind === 'string') return validText(random, rest);
  if (kind === 'boolean') return random.chance(0.5);
  if (kind === 'array') {
    const items = Array.from({ length: 1 + random.below(3) }, () =>
      validValue(random, rest.items ?? {}, resolve),
    );
    return rest.uniqueItems ? [...new Set(items)] : items;
  }
  if (kind === 'object') {
    const { properties = {}, required = [] } = rest;
    const included = Object.entries(properties).filter(
      ([name]) => required.includes(name) || random.chance(0.6),
    );
    const chosen = included.length > 0 ? included : Object.entries(properties).slice(0, 1);
    return Object.fromEntries(chosen.map(([name, field]) => [name, validValue(random, field, resolve)]));
  }
  return null;
}

function validInteger(random: Random, { minimum = 1, maximum = 60 }: Schema): number {
  const most = Math.min(maximum, minimum + 60);
  return random.chance(0.05) ? random.pick([minimum, maximum]) : minimum + random.below(most - minimum + 1);
}

function validText(random: Random, { format, pattern, minLength = 1, maxLength = 40 }: Schema): string {
  if (format === 'date-time') {
    const date = new Date(
      Date.UTC(2026, random.below(24), 1 + random.below(28), random.below(24)),
    ).toISOString();
    return random.chance(0.3) ? date.replace('Z', '+02:00') : date;
  }
  if (format === 'email') return `someone-${random.below(1e6)}@example.com`;
  const letters = random.chance(0.2) ? 'äöß🐶漢字é' : 'abcdefgh ijkl';
  const length = random.chance(0.05) ? maxLength : Math.min(maxLength, minLength + random.below(12));
  const drawn = Array.from({ length }, () => random.pick([...letters])).join('');
  const padded = drawn.trim().length < minLength ? 'a'.repeat(minLength) : drawn;
  // If letters do not match the pattern, a number does.
  return pattern === undefined || new RegExp(pattern, 'u').test(padded)
    ? padded
    : String(1 + random.below(99));
}

/** An unexpected value, of any type. */
export function hostileValue(random: Random): unknown {
  const kinds: Array<() => unknown> = [
    () => null,
    () => random.chance(0.5),
    () => new Raw(random.pick(integers)),
    () => new Raw(random.pick(floats)),
    () => random.pick(texts),
    () => new Raw(nested(random, random.pick([3, 31, 33, 100, 5000]))),
    () => [],
    () => ({}),
    () => Array.from({ length: 1 + random.below(50) }, () => random.pick(texts)),
    () => ({ [random.pick(texts)]: random.pick(texts) }),
    () => new Raw('{"a":1,"a":2}'),
    () => new Raw(`"\\u${random.pick(['d800', '0000', 'ffff', 'zzzz', '12'])}"`),
  ];
  return random.pick(kinds)();
}

function nested(random: Random, depth: number): string {
  return random.chance(0.5)
    ? `${'['.repeat(depth)}${']'.repeat(depth)}`
    : `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
}

/** The value as JSON, with raw parts unchanged. */
export function toJson(value: unknown): string {
  if (value instanceof Raw) return value.text;
  if (Array.isArray(value)) return `[${value.map(toJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  return `{${Object.entries(value)
    .map(([name, field]) => `${JSON.stringify(name)}:${toJson(field)}`)
    .join(',')}}`;
}
