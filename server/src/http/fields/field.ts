import { parseDateTime } from '../encoding/date-time.ts';
import { asInt64, parseInt64 } from '../encoding/int64.ts';
import { int64Schema, utcDateTime } from '../openapi/openapi.ts';

/** `read` validates a JSON value, and query or path text unless `parse` does; undefined if invalid. */
export interface Field<T> {
  readonly description: string;
  readonly schema: object;
  readonly example?: unknown;
  readonly read: (value: unknown) => T | undefined;
  readonly parse?: (text: string) => T | undefined;
  readonly expected: string;
  readonly isOptional?: boolean;
  /** In a body, null counts as absent. */
  readonly ignoresNull?: boolean;
  readonly default?: T | undefined;
  /** In a query, repeated parameters are equivalent to one with commas. */
  readonly isList?: boolean;
}

export interface OptionalField<T> extends Field<T> {
  readonly isOptional: true;
}

export type Fields = Readonly<Record<string, Field<unknown>>>;
export type TypeOf<F> = F extends Field<infer T> ? T : never;

export function optional<T>(field: Field<T>): OptionalField<T> {
  return { ...field, isOptional: true, default: undefined };
}

/** For clients that send null for fields without a value. */
export function optionalOrNull<T>(field: Field<T>): OptionalField<T> {
  const { type, ...schema } = field.schema as { readonly type: string };
  return { ...optional(field), schema: { type: [type, 'null'], ...schema }, ignoresNull: true };
}

export function allOptional<F extends Fields>(fields: F) {
  const entries = Object.entries(fields).map(([name, field]) => [name, optional(field)]);
  return Object.fromEntries(entries) as { readonly [K in keyof F]: OptionalField<TypeOf<F[K]>> };
}

export function withDefault<T>(field: Field<T>, value: T): Field<T> {
  return { ...field, isOptional: true, default: value };
}

export function bodyField<T>(
  schema: { readonly description: string; readonly [name: string]: unknown } | { readonly $ref: string },
  expected: string,
  read: (value: unknown) => T | undefined,
  example?: unknown,
): Field<T> {
  const { description = '' } = schema as { description?: string };
  return { description, schema, example, read, expected };
}

/** The schema has no limits: JSON and YAML parsers would round them. */
export function int64(description: string, example: number): Field<bigint> {
  return {
    description,
    schema: int64Schema,
    example,
    read: asInt64,
    parse: parseInt64,
    expected: `an integer from ${-(2n ** 63n)} to ${2n ** 63n - 1n}`,
  };
}

export function integer(
  [minimum, maximum]: readonly [number, number],
  description: string,
  example: number,
  more: object = {},
): Field<bigint> {
  const checkRange = (value: bigint | undefined) =>
    value !== undefined && value >= minimum && value <= maximum ? value : undefined;
  return {
    description,
    schema: { type: 'integer', format: 'int32', minimum, maximum, ...more },
    example,
    read: (value) => checkRange(asInt64(value)),
    parse: (text) => checkRange(parseInt64(text)),
    expected: `an integer from ${minimum} to ${maximum}`,
  };
}

/** No control characters: every database can store it, every terminal can print it. */
export const PLAIN_TEXT = '^[^\\u0000-\\u001f\\u007f-\\u009f]+$';
const NO_NUL = '^[^\\u0000]+$';

export function text(
  { maxLength, pattern }: { readonly maxLength: number; readonly pattern: string },
  description: string,
  example?: string,
): Field<string> {
  const regExp = new RegExp(pattern, 'u');
  return {
    description,
    schema: { type: 'string', minLength: 1, maxLength, pattern },
    example,
    read: (value) => (isText(value, maxLength) && regExp.test(value) ? value : undefined),
    expected: `a string of 1 to ${maxLength} characters${pattern === NO_NUL ? '' : ' without control characters'}`,
  };
}

export const searchText = (maxLength: number, description: string, example?: string) =>
  text({ maxLength, pattern: NO_NUL }, description, example);

/** Lone surrogates are rejected: databases do not preserve them. */
export function isText(value: unknown, maxLength: number): value is string {
  if (typeof value !== 'string' || value === '' || value.length > 2 * maxLength) return false;
  return value.isWellFormed() && [...value].length <= maxLength;
}

export function dateTime(description: string, example: string): Field<bigint> {
  return {
    description,
    schema: utcDateTime,
    example,
    read: (value) => (typeof value === 'string' ? parseDateTime(value) : undefined),
    expected: 'a valid date and time with a UTC offset, such as 2026-12-01T08:00:00Z',
  };
}

export function boolean(description: string, example: boolean): Field<boolean> {
  return {
    description,
    schema: { type: 'boolean' },
    example,
    read: (value) => (typeof value === 'boolean' ? value : undefined),
    parse: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
    expected: 'true or false',
  };
}

export function oneOf<const T extends string>(
  description: string,
  schema: object,
  values: readonly T[],
): Field<T> {
  return {
    description,
    schema,
    example: values[0],
    read: (given) => values.find((value) => value === given),
    expected: `one of ${values.join(', ')}`,
  };
}

const MAX_VALUES = 20;

export function someOf<const T extends string>(
  description: string,
  schema: object,
  values: readonly T[],
): Field<readonly T[]> {
  const read = (given: unknown) => {
    if (!Array.isArray(given) || given.length === 0 || given.length > MAX_VALUES) return undefined;
    if (!given.every((value) => values.includes(value))) return undefined;
    return values.filter((value) => given.includes(value));
  };
  return {
    description,
    schema: { type: 'array', items: schema, minItems: 1, maxItems: MAX_VALUES },
    example: values.slice(0, 2),
    isList: true,
    read,
    parse: (text) => read(text.split(',')),
    expected: `one or more of ${values.join(', ')} (at most ${MAX_VALUES})`,
  };
}
