import Type, { type Static, type TSchema } from 'typebox';
import Value from 'typebox/value';
import { DATE_TIME_LENGTH, parseDateTime } from '../content/date-time.ts';
import { ApiError } from '../errors.ts';
import { schemaRef } from '../openapi/openapi.ts';
import { orderInput, petInput } from './examples.ts';

const MAX_INT64 = 2n ** 63n - 1n;
/** Plain characters; HTTP takes spaces off both ends of a header. */
export const IDEMPOTENCY_KEY_SCHEMA = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  pattern: '^[!-~]([ -~]*[!-~])?$',
} as const;
export const MAX_QUANTITY = 1000n;
const MAX_STOCK = 1_000_000_000n;

export const MAX_NAME = 100;
export const MAX_CATEGORY = 50;

/** Text that any database and any screen can carry: no control characters. */
const plainText = (maxLength: number, description: string, example: string) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: '^[^\\x00-\\x1f\\x7f-\\x9f]+$',
    description,
    examples: [example],
  });

const name = plainText(MAX_NAME, 'What the pet is called.', petInput.name);
const category = plainText(MAX_CATEGORY, 'What kind of animal it is, such as `dog`.', petInput.category);
const stock = Type.BigInt({
  format: 'int64',
  minimum: 0n,
  maximum: MAX_STOCK,
  description: 'Units that can be ordered.',
  examples: [petInput.stock],
});

export const OrderInput = Type.Object(
  {
    petId: Type.BigInt({
      format: 'int64',
      minimum: -(2n ** 63n),
      maximum: MAX_INT64,
      description: 'Identifier of the pet to order.',
      examples: [orderInput.petId],
    }),
    quantity: Type.BigInt({
      format: 'int32',
      minimum: 1n,
      maximum: MAX_QUANTITY,
      description: 'Number of units.',
      examples: [orderInput.quantity],
    }),
    shipDate: Type.Optional(
      Type.String({
        ...DATE_TIME_LENGTH,
        description: 'When to ship; by default three days from now.',
        examples: [orderInput.shipDate],
      }),
    ),
  },
  { description: 'An order to place. It has no other fields.', additionalProperties: false },
);

export const PetInput = Type.Object(
  { name, category, stock: Type.Optional(stock) },
  { description: 'A pet to add. It has no other fields.', additionalProperties: false },
);

export const PetPatch = Type.Object(
  { name: Type.Optional(name), category: Type.Optional(category), stock: Type.Optional(stock) },
  {
    description: 'What to change of a pet, at least one field. It has no others.',
    additionalProperties: false,
    minProperties: 1,
  },
);

/**
 * A function that lets only bodies of this shape through, and says what is wrong with any other. It interprets the
 * schema: compiled, its 64-bit limits would be numbers, and not exact.
 */
export function bodyReader<S extends TSchema>(schema: S): (body: unknown) => Static<S> {
  return (body) => {
    if (!Value.Check(schema, body) || !Object.values(body as object).every(isWellFormed))
      throw new ApiError('invalid_body', `The request body is not valid: ${problem(schema, body)}.`);
    return body as Static<S>;
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

/** Half a surrogate pair is no character: no database keeps it as it is. */
function isWellFormed(value: unknown): boolean {
  return typeof value !== 'string' || value.isWellFormed();
}

function problem(schema: TSchema, body: unknown): string {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return 'it must be a JSON object';
  const { properties, required = [] } = schema as unknown as {
    properties: Record<string, TSchema>;
    required?: string[];
  };
  const unknown = Object.keys(body).find((field) => !Object.hasOwn(properties, field));
  if (unknown !== undefined) return `'${unknown.slice(0, 100)}' is not a field of it`;
  const missing = required.find((field) => !Object.hasOwn(body, field));
  if (missing !== undefined) return `'${missing}' is missing`;
  const wrong = Object.entries(body).find(
    ([field, value]) => !Value.Check(properties[field] as TSchema, value) || !isWellFormed(value),
  );
  return wrong
    ? `'${wrong[0]}' must be ${described(properties[wrong[0]] as TSchema)}`
    : 'it must have at least one field';
}

function described(schema: TSchema): string {
  const { type, minimum, maximum, minLength, maxLength, pattern, items } = schema as unknown as Record<
    string,
    unknown
  > & { items?: { enum?: string[] } };
  if (type === 'array') return `a list of different ones out of: ${items?.enum?.join(', ')}`;
  if (type === 'boolean') return 'true or false';
  if (type === 'bigint') return `an integer from ${minimum} to ${maximum}`;
  if (pattern === undefined) return 'a date and time, such as 2026-12-01T08:00:00Z';
  return `a text of ${minLength} to ${maxLength} characters without control characters`;
}

/** The schema as a document shows it: our `bigint` is JSON's integer, and a date is one by its format. */
export function documentSchema(schema: TSchema): object {
  const { properties, required, ...rest } = schema as unknown as {
    properties: Record<string, Record<string, unknown>>;
    required?: string[];
  };
  const shown = Object.entries(properties).map(([field, property]) => [field, documentProperty(property)]);
  return { ...rest, ...(required && { required }), properties: Object.fromEntries(shown) };
}

function documentProperty({ type, minimum, maximum, ...rest }: Record<string, unknown>): object {
  if (type === 'string' && rest.pattern === undefined) return { type, format: 'date-time', ...rest };
  // The types of events are an open list, which the document has under a name.
  if (type === 'array') return { type, ...rest, items: schemaRef('EventType') };
  if (type !== 'bigint') return { type, ...rest };
  // The limits of 64 bits are what the format says; as numbers of a document they would be rounded.
  const limits = maximum !== MAX_INT64 && { minimum: Number(minimum), maximum: Number(maximum) };
  return { type: 'integer', ...rest, ...limits };
}
