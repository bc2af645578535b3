import { ApiError } from '../errors.ts';
import { parseDateTime } from './date-time.ts';

/** A field of a JSON body: how its document describes it, and how its value is read. */
export interface Field<T> {
  readonly document: object;
  /** undefined for what is not a valid value. */
  read(value: unknown): T | undefined;
  /** What a valid value looks like, for the error that names the field. */
  readonly expected: string;
  readonly isOptional?: boolean;
}

interface OptionalField<T> extends Field<T> {
  readonly isOptional: true;
}

type Fields = Readonly<Record<string, Field<unknown>>>;
type TypeOf<F> = F extends Field<infer T> ? T : never;
type OptionalNames<F extends Fields> = {
  [K in keyof F]: F[K] extends OptionalField<unknown> ? K : never;
}[keyof F];

/** What a body with these fields holds. */
export type ValuesOf<F extends Fields> = {
  readonly [K in Exclude<keyof F, OptionalNames<F>>]: TypeOf<F[K]>;
} & {
  readonly [K in OptionalNames<F>]?: TypeOf<F[K]>;
};

/** Reads a body: a JSON object with these fields and no others. What is wrong with any other is said by name. */
export function readBody<F extends Fields>(fields: F, body: unknown, mayBeEmpty = true): ValuesOf<F> {
  const given = objectWith(Object.keys(fields), body);
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    if (Object.hasOwn(given, name)) values[name] = readField(name, field, given[name]);
    else if (!field.isOptional) throw invalidBody(`'${name}' is missing`);
  }
  if (!mayBeEmpty && Object.keys(values).length === 0) throw invalidBody('it must have at least one field');
  return values as ValuesOf<F>;
}

function readField<T>(name: string, field: Field<T>, value: unknown): T {
  const read = field.read(value);
  if (read === undefined) throw invalidBody(`'${name}' must be ${field.expected}`);
  return read;
}

/** A JSON object that has no other fields than these. */
export function objectWith(
  names: readonly string[],
  value: unknown,
  what = 'it',
): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidBody(`${what} must be a JSON object`);
  const unknown = Object.keys(value).find((name) => !names.includes(name));
  if (unknown !== undefined) throw invalidBody(`'${unknown.slice(0, 100)}' is not a field of ${what}`);
  return value as Record<string, unknown>;
}

export function invalidBody(problem: string): ApiError {
  return new ApiError('invalid_body', `The request body is not valid: ${problem}.`);
}

/** A body with these fields, as a document shows it. */
export function documentBody(fields: Fields, description: string, more: object = {}): object {
  const required = Object.keys(fields).filter((name) => !fields[name]?.isOptional);
  const properties = Object.entries(fields).map(([name, { document }]) => [name, document]);
  return {
    type: 'object',
    description,
    additionalProperties: false,
    ...more,
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(properties),
  };
}

export function optional<T>(field: Field<T>): OptionalField<T> {
  return { ...field, isOptional: true };
}

/** An integer of 64 bits. Its limits are what the format says; as numbers of a document they would be rounded. */
export function int64(description: string, example: number): Field<bigint> {
  return {
    document: { type: 'integer', format: 'int64', description, examples: [example] },
    read: (value) => (typeof value === 'bigint' ? value : undefined),
    expected: `an integer from ${-(2n ** 63n)} to ${2n ** 63n - 1n}`,
  };
}

export function integer(
  format: 'int32' | 'int64',
  [minimum, maximum]: readonly [number, number],
  description: string,
  example: number,
): Field<bigint> {
  return {
    document: { type: 'integer', format, description, examples: [example], minimum, maximum },
    read: (value) => (typeof value === 'bigint' && value >= minimum && value <= maximum ? value : undefined),
    expected: `an integer from ${minimum} to ${maximum}`,
  };
}

export function text(
  { maxLength, pattern }: { readonly maxLength: number; readonly pattern: string },
  description: string,
  example: string,
): Field<string> {
  const matching = new RegExp(pattern, 'u');
  return {
    document: { type: 'string', minLength: 1, maxLength, pattern, description, examples: [example] },
    read: (value) => (isText(value, maxLength) && matching.test(value) ? value : undefined),
    expected: `a text of 1 to ${maxLength} characters without control characters`,
  };
}

/** Text of so many characters at the most. Half a surrogate pair is no character: no database keeps it as it is. */
export function isText(value: unknown, maxLength: number): value is string {
  if (typeof value !== 'string' || value === '' || value.length > 2 * maxLength) return false;
  return value.isWellFormed() && [...value].length <= maxLength;
}

export function dateTime(description: string, example: string): Field<bigint> {
  return {
    document: {
      type: 'string',
      format: 'date-time',
      description,
      examples: [example],
    },
    read: (value) => (typeof value === 'string' ? parseDateTime(value) : undefined),
    expected: 'a date and time that exists, such as 2026-12-01T08:00:00Z',
  };
}

export function boolean(description: string, example: boolean): Field<boolean> {
  return {
    document: { type: 'boolean', description, example },
    read: (value) => (typeof value === 'boolean' ? value : undefined),
    expected: 'true or false',
  };
}
