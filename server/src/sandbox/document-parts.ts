import { int64Schema } from '../http/openapi/openapi.ts';

/** What random choices are drawn from, as a document has it. */
export const seed = {
  ...int64Schema,
  description: 'What random choices are drawn from.',
  default: 1,
  examples: [7],
};

/** JSON of this schema, with an example for each of these by its name. */
export const jsonWithExamples = <T extends string>(
  schema: object,
  names: readonly T[],
  shownBy: (name: T) => unknown,
) => {
  const examples = Object.fromEntries(names.map((name) => [name, { value: shownBy(name) }]));
  return { content: { 'application/json': { schema, examples } } };
};
