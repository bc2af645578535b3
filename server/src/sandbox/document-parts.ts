import { int64Schema } from '../http/openapi/openapi.ts';

export const seedSchema = (description: string) => ({
  description,
  schema: { ...int64Schema, description, default: 1 },
});

/** JSON of this schema, with an example for each of these by its name. */
export const jsonWithExamples = <T extends string>(
  schema: object,
  names: readonly T[],
  shownBy: (name: T) => unknown,
) => {
  const examples = Object.fromEntries(names.map((name) => [name, { value: shownBy(name) }]));
  return { content: { 'application/json': { schema, examples } } };
};
