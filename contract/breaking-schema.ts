/** A part of a document, of unknown type. */
export type Json = Readonly<Record<string, unknown>>;

/** A request schema may only get wider, a response schema only narrower. */
export type Direction = 'request' | 'response';

/** The documents to compare. References are resolved in the document that has them. */
export interface Documents {
  readonly before: Json;
  readonly after: Json;
}

export function asObject(part: unknown): Json {
  return typeof part === 'object' && part !== null && !Array.isArray(part) ? (part as Json) : {};
}

export function asArray(part: unknown): readonly unknown[] {
  return Array.isArray(part) ? part : [];
}

/** Resolves a reference; any other part is returned unchanged. */
export function resolved(part: unknown, root: Json): Json {
  const { $ref, ...rest } = asObject(part);
  if (typeof $ref !== 'string') return asObject(part);
  const target = $ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, step) => asObject(at)[step], root);
  return { ...resolved(target, root), ...rest };
}

/** Limit keywords, and whether a greater value allows more. */
const limits = {
  maximum: true,
  exclusiveMaximum: true,
  maxLength: true,
  maxItems: true,
  maxProperties: true,
  minimum: false,
  exclusiveMinimum: false,
  minLength: false,
  minItems: false,
  minProperties: false,
};

/** What breaks clients when one schema replaces another. */
export function breakingSchemaChanges(
  name: string,
  before: unknown,
  after: unknown,
  documents: Documents,
  direction: Direction,
): string[] {
  const [was, is] = [resolved(before, documents.before), resolved(after, documents.after)];
  // Requests that were valid must stay valid; responses must be valid for the old schema: `outer` must allow all of `inner`.
  const [inner, outer] = direction === 'request' ? [was, is] : [is, was];
  return [
    ...setChanges(name, inner, outer, direction),
    ...limitChanges(name, inner, outer, direction),
    ...fieldChanges(name, was, is, documents, direction),
    ...(was.items === undefined && is.items === undefined
      ? []
      : breakingSchemaChanges(`${name}[]`, was.items, is.items, documents, direction)),
  ];
}

/** Types, formats, enumerations and patterns: the outer one must allow everything that the inner one allows. */
function setChanges(name: string, inner: Json, outer: Json, direction: Direction): string[] {
  const verb = direction === 'request' ? 'can no longer be' : 'can now be';
  const types = (schema: Json) => [schema.type ?? []].flat() as string[];
  const fits = (type: string) =>
    types(outer).length === 0 ||
    types(outer).includes(type) ||
    (type === 'integer' && types(outer).includes('number'));
  const values = (schema: Json) => (schema.const === undefined ? schema.enum : [schema.const]);
  const problems = types(inner)
    .filter((type) => !fits(type))
    .map((type) => `${name} ${verb} of type ${type}`);
  if (types(inner).length === 0 && types(outer).length > 0)
    problems.push(`${name} ${verb} of any type but ${types(outer).join(', ')}`);
  if (values(outer) !== undefined) {
    const allowed = asArray(values(outer));
    const stray = asArray(values(inner)).filter((value) => !allowed.includes(value));
    problems.push(...stray.map((value) => `${name} ${verb} ${JSON.stringify(value)}`));
    if (values(inner) === undefined) problems.push(`${name} ${verb} other than ${allowed.join(', ')}`);
  }
  for (const keyword of ['format', 'pattern', 'multipleOf']) {
    if (outer[keyword] !== undefined && outer[keyword] !== inner[keyword])
      problems.push(`${name} ${verb} of another ${keyword} than ${outer[keyword]}`);
  }
  return problems;
}

function limitChanges(name: string, inner: Json, outer: Json, direction: Direction): string[] {
  return Object.entries(limits).flatMap(([keyword, greaterIsWider]) => {
    const limit = outer[keyword];
    if (limit === undefined || isImpliedByFormat(keyword, inner)) return [];
    const other = inner[keyword];
    const fits =
      other !== undefined &&
      (greaterIsWider ? Number(other) <= Number(limit) : Number(other) >= Number(limit));
    return fits
      ? []
      : [
          `${name} ${direction === 'request' ? 'must now keep to' : 'no longer keeps to'} ${keyword} ${limit}`,
        ];
  });
}

/** `date-time` implies a length: a limit on it changes nothing. */
function isImpliedByFormat(keyword: string, { format }: Json): boolean {
  return format === 'date-time' && keyword.endsWith('Length');
}

function fieldChanges(
  name: string,
  was: Json,
  is: Json,
  documents: Documents,
  direction: Direction,
): string[] {
  const [old, next] = [asObject(was.properties), asObject(is.properties)];
  const required = (schema: Json) => asArray(schema.required) as string[];
  const closed = (schema: Json) => schema.additionalProperties === false;
  const problems: string[] = [];
  for (const [field, schema] of Object.entries(old)) {
    if (field in next)
      problems.push(...breakingSchemaChanges(`${name}.${field}`, schema, next[field], documents, direction));
    else if (direction === 'response') problems.push(`${name} lost its field ${field}`);
    else if (closed(is)) problems.push(`${name} can no longer have the field ${field}`);
  }
  const [inner, outer] = direction === 'request' ? [was, is] : [is, was];
  const newlyRequired = required(outer).filter((field) => !required(inner).includes(field));
  problems.push(
    ...newlyRequired.map((field) =>
      direction === 'request'
        ? `${name} must now have the field ${field}`
        : `${name} may now lack the field ${field}`,
    ),
  );
  if (direction === 'response' && closed(was)) {
    const added = Object.keys(next).filter((field) => !(field in old));
    problems.push(...added.map((field) => `${name} got the field ${field}, though the schema is closed`));
    if (!closed(is) && Object.keys(old).length > 0)
      problems.push(`${name} may now have fields that are not documented`);
  }
  if (direction === 'request' && closed(is) && !closed(was))
    problems.push(`${name} can no longer have other fields`);
  return problems;
}
