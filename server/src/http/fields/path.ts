import { ApiError } from '../errors.ts';
import { type Field, type Fields, int64, type TypeOf } from './field.ts';

export type PathOf<F extends Fields> = { readonly [K in keyof F]: TypeOf<F[K]> };

export const pathId = (what: string, example: number): Field<bigint> =>
  int64(`Identifier of the ${what}. Anything but a plain decimal int64 names none: 404.`, example);

/** A part that cannot be an id names nothing. */
export function readPath<F extends Fields>(fields: F, parts: Readonly<Record<string, string>>): PathOf<F> {
  const values: Record<string, unknown> = {};
  for (const [name, { parse }] of Object.entries(fields)) {
    values[name] = parse(parts[name] ?? '');
    if (values[name] === undefined) throw new ApiError('not_found');
  }
  return values as PathOf<F>;
}

export function documentPath(fields: Fields): object[] {
  return Object.entries(fields).map(([name, { description, schema, example }]) => ({
    name,
    in: 'path',
    required: true,
    description,
    schema,
    example,
  }));
}
