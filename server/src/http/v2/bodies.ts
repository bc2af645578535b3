import { parseDateTime } from '../date-time.ts';
import { ApiError } from '../errors.ts';
import {
  type AnyShape,
  type Field,
  type IntegerField,
  problemOf,
  type Shaped,
  shape,
  type TextField,
} from '../shape.ts';

const MAX_INT64 = 2n ** 63n - 1n;
/** Characters of an `Idempotency-Key`. */
export const MAX_IDEMPOTENCY_KEY = 255;
export const MAX_QUANTITY = 1000n;
export const MAX_STOCK = 1_000_000_000n;

/** Text that any database and any screen can carry: no control characters. */
const plainText = (maxLength: number, description: string): TextField => ({
  type: 'string',
  minLength: 1,
  maxLength,
  pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]+$',
  description,
});
const integer = (minimum: bigint, maximum: bigint, description: string): IntegerField => ({
  type: 'bigint',
  minimum,
  maximum,
  description,
});
const date = (description: string): TextField => ({ type: 'string', format: 'date-time', description });

const name = plainText(100, 'What the pet is called.');
const category = plainText(50, 'What kind of animal it is, such as `dog`.');
const stock = integer(0n, MAX_STOCK, 'Units that can be ordered.');

export const NewOrder = shape(
  {
    petId: integer(-(2n ** 63n), MAX_INT64, 'Identifier of the pet to order.'),
    quantity: integer(1n, MAX_QUANTITY, 'Number of units.'),
  },
  { shipDate: date('When to ship; by default three days from now.') },
);
export const NewPet = shape({ name, category }, { stock });
export const PetChange = shape({}, { name, category, stock }, { minProperties: 1 });

/** A function that lets only bodies of this shape through, and says what is wrong with any other. */
export function bodyReader<S extends AnyShape>(shape: S): (body: unknown) => Shaped<S> {
  return (body) => {
    const problem = describeProblem(shape, body);
    if (problem !== undefined)
      throw new ApiError('invalid_body', `The request body is not valid: ${problem}.`);
    return body as Shaped<S>;
  };
}

/** A ship date that passed as text, as a moment. */
export function shipDateOf(text: string | undefined): bigint | undefined {
  if (text === undefined) return undefined;
  const time = parseDateTime(text);
  if (time === undefined) {
    throw new ApiError(
      'invalid_body',
      "The request body is not valid: 'shipDate' must be a date and time that exists, such as 2026-12-01T08:00:00Z.",
    );
  }
  return time;
}

function describeProblem(shape: AnyShape, body: unknown): string | undefined {
  const problem = problemOf(shape, body);
  switch (problem?.kind) {
    case 'no object':
      return 'it must be a JSON object';
    case 'unknown':
      return `'${problem.field.slice(0, 100)}' is not a field of it`;
    case 'missing':
      return `'${problem.field}' is missing`;
    case 'wrong':
      return `'${problem.field}' must be ${described(shape.properties[problem.field] as Field)}`;
    case 'empty':
      return 'it must have at least one field';
  }
}

function described(field: Field): string {
  if (field.type === 'bigint') return `an integer from ${field.minimum} to ${field.maximum}`;
  const { format, minLength, maxLength } = field;
  if (format === 'date-time') return 'a date and time, such as 2026-12-01T08:00:00Z';
  return `a text of ${minLength} to ${maxLength} characters without control characters`;
}

/** The schema as a document shows it: our `bigint` is JSON's integer. */
export function documentSchema(schema: unknown): unknown {
  if (typeof schema === 'bigint') return Number(schema);
  if (Array.isArray(schema)) return schema.map(documentSchema);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { minimum, maximum, ...rest } = schema as { type?: string; minimum?: unknown; maximum?: unknown };
  const limits = maximum === MAX_INT64 ? { format: 'int64' } : { minimum, maximum };
  const shown = rest.type === 'bigint' ? { ...rest, type: 'integer', ...limits } : schema;
  return Object.fromEntries(Object.entries(shown).map(([key, value]) => [key, documentSchema(value)]));
}
