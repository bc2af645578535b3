import { ApiError } from '../errors.ts';
import { described } from '../openapi/openapi.ts';
import type { Field, Fields, OptionalField, TypeOf } from './field.ts';

type OptionalNames<F extends Fields> = {
  [K in keyof F]: F[K] extends OptionalField<unknown> ? K : never;
}[keyof F];

export type BodyOf<F extends Fields> = {
  readonly [K in Exclude<keyof F, OptionalNames<F>>]: TypeOf<F[K]>;
} & {
  readonly [K in OptionalNames<F>]?: TypeOf<F[K]>;
};

interface ReadOptions {
  readonly allowEmpty?: boolean;
  /** Path of the object in the body, for messages. */
  readonly place?: string;
  readonly toError?: (problem: string, field: Field<unknown>, given: unknown) => ApiError;
}

export function readFields<F extends Fields>(
  fields: F,
  body: unknown,
  { allowEmpty = true, place, toError = invalidBody }: ReadOptions = {},
): BodyOf<F> {
  const given = requireObject(Object.keys(fields), body, place && `'${place}'`);
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const at = place === undefined ? name : `${place}.${name}`;
    if (Object.hasOwn(given, name)) {
      values[name] = field.read(given[name]);
      if (values[name] === undefined) throw toError(`'${at}' must be ${field.expected}`, field, given[name]);
    } else if (field.default !== undefined) values[name] = field.default;
    else if (!field.isOptional) throw invalidBody(`'${at}' is required`);
  }
  if (!allowEmpty && Object.keys(values).length === 0) throw invalidBody('it must have at least one field');
  return values as BodyOf<F>;
}

export function requireObject(names: readonly string[], value: unknown, what = 'it') {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidBody(`${what} must be a JSON object`);
  const unknown = Object.keys(value).find((name) => !names.includes(name));
  if (unknown !== undefined) throw invalidBody(`'${unknown.slice(0, 100)}' is not a field of ${what}`);
  return value as Readonly<Record<string, unknown>>;
}

export function invalidBody(problem: string): ApiError {
  return new ApiError('invalid_body', `The request body is not valid: ${problem}.`);
}

export function documentBody(fields: Fields, description: string, more: object = {}): object {
  const required = Object.keys(fields).filter((name) => !fields[name]?.isOptional);
  return {
    type: 'object',
    description,
    additionalProperties: false,
    ...more,
    ...(required.length > 0 && { required }),
    properties: documentFields(fields),
  };
}

export function documentFields(fields: Fields): Record<string, object> {
  const documented = Object.entries(fields).map(([name, { schema, description, example }]) => [
    name,
    '$ref' in schema ? schema : described(schema, description, example),
  ]);
  return Object.fromEntries(documented);
}
