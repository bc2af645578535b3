/** The kinds of fields that request bodies have, written as JSON Schema has them. */
export type Field = TextField | IntegerField;

export interface TextField {
  readonly type: 'string';
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: 'date-time';
  readonly enum?: readonly string[];
  /** Whether it may also be null. */
  readonly nullable?: boolean;
  readonly description?: string;
}

/** JSON's integer; to the program, and so that its limits are exact, a bigint. */
export interface IntegerField {
  readonly type: 'bigint';
  readonly minimum: bigint;
  readonly maximum: bigint;
  readonly description?: string;
}

export type Fields = Readonly<Record<string, Field>>;
type ValueOf<F> = F extends IntegerField
  ? bigint
  : (F extends { enum: ReadonlyArray<infer E> } ? E : string) | (F extends { nullable: true } ? null : never);

/** A JSON object that has the required fields, perhaps other ones, and none that is not named. */
export interface AnyShape {
  readonly type: 'object';
  readonly required?: readonly string[];
  readonly properties: Fields;
  readonly additionalProperties: false;
  readonly minProperties?: number;
}

export interface Shape<R extends Fields, O extends Fields> extends AnyShape {
  /** Never set: carries which fields are required and which are optional. */
  readonly types?: { required: R; optional: O };
}
export type Shaped<S> =
  S extends Shape<infer R, infer O>
    ? { [K in keyof R]: ValueOf<R[K]> } & { [K in keyof O]?: ValueOf<O[K]> }
    : never;

export function shape<R extends Fields, O extends Fields>(
  required: R,
  optional: O,
  rules: { minProperties?: number } = {},
): Shape<R, O> {
  const names = Object.keys(required);
  return {
    type: 'object',
    ...(names.length > 0 && { required: names }),
    properties: { ...required, ...optional },
    additionalProperties: false,
    ...rules,
  };
}

/** Text must be made of whole characters: half a surrogate pair is none, and no database keeps it as it is. */
export function isField(field: Field, value: unknown): boolean {
  if (field.type === 'bigint')
    return typeof value === 'bigint' && value >= field.minimum && value <= field.maximum;
  if (value === null) return field.nullable ?? false;
  if (typeof value !== 'string' || !value.isWellFormed()) return false;
  const { minLength = 0, maxLength = value.length, pattern, enum: choices } = field;
  const length = [...value].length;
  if (length < minLength || length > maxLength) return false;
  return (choices?.includes(value) ?? true) && (pattern === undefined || new RegExp(pattern).test(value));
}

/** What is wrong with a body of this shape; undefined if nothing is. */
export type Problem =
  | { readonly kind: 'no object' }
  | { readonly kind: 'unknown' | 'missing' | 'wrong'; readonly field: string }
  | { readonly kind: 'empty' };

export function problemOf(
  { properties, required = [], minProperties = 0 }: AnyShape,
  body: unknown,
): Problem | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return { kind: 'no object' };
  const fields = Object.keys(body);
  const unknown = fields.find((field) => !Object.hasOwn(properties, field));
  if (unknown !== undefined) return { kind: 'unknown', field: unknown };
  const missing = required.find((field) => !Object.hasOwn(body, field));
  if (missing !== undefined) return { kind: 'missing', field: missing };
  const wrong = Object.entries(body).find(([field, value]) => !isField(properties[field] as Field, value));
  if (wrong) return { kind: 'wrong', field: wrong[0] };
  return fields.length < minProperties ? { kind: 'empty' } : undefined;
}
