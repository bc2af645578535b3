import Type, { type Static, type TSchema } from 'typebox';
import Value from 'typebox/value';
import { parseDateTime } from '../content/date-time.ts';
import { ApiError } from '../errors.ts';

const MAX_INT64 = 2n ** 63n - 1n;
/** Characters of an `Idempotency-Key`. */
export const MAX_IDEMPOTENCY_KEY = 255;
const MAX_QUANTITY = 1000n;
const MAX_STOCK = 1_000_000_000n;

/** Text that any database and any screen can carry: no control characters. */
const plainText = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]+$', description });

const name = plainText(100, 'What the pet is called.');
const category = plainText(50, 'What kind of animal it is, such as `dog`.');
const stock = Type.BigInt({ minimum: 0n, maximum: MAX_STOCK, description: 'Units that can be ordered.' });

export const NewOrder = Type.Object(
  {
    petId: Type.BigInt({
      minimum: -(2n ** 63n),
      maximum: MAX_INT64,
      description: 'Identifier of the pet to order.',
    }),
    quantity: Type.BigInt({ minimum: 1n, maximum: MAX_QUANTITY, description: 'Number of units.' }),
    shipDate: Type.Optional(
      Type.String({ format: 'date-time', description: 'When to ship; by default three days from now.' }),
    ),
  },
  { additionalProperties: false },
);

export const NewPet = Type.Object(
  { name, category, stock: Type.Optional(stock) },
  { additionalProperties: false },
);

export const PetChange = Type.Object(
  { name: Type.Optional(name), category: Type.Optional(category), stock: Type.Optional(stock) },
  { additionalProperties: false, minProperties: 1 },
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
  const { type, minimum, maximum, minLength, maxLength } = schema as unknown as Record<string, unknown>;
  if (type === 'bigint') return `an integer from ${minimum} to ${maximum}`;
  if (maxLength === undefined) return 'a date and time, such as 2026-12-01T08:00:00Z';
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
