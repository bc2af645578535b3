import { v2Document } from '../api/v2-document.ts';

type Schema = Readonly<Record<string, unknown>>;
type ObjectSchema = { readonly properties?: Record<string, Schema>; readonly required?: readonly string[] };

/** An operation of the document with everything that it refers to in its place. */
interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}
interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description: string;
  readonly schema: Schema;
}
interface Content {
  readonly content?: { readonly 'application/json': { readonly schema: Schema } };
}

/** Ids are text here: many programs would round the integer. */
export const ID_PATTERN = '^-?[0-9]{1,19}$';
export const idNames: ReadonlySet<string> = new Set(['id', 'petId']);
const toolTags = ['orders', 'pets'];

export type Tool = ReturnType<typeof toolOf>;

export const tools: readonly Tool[] = Object.entries(v2Document.paths).flatMap(([path, item]) =>
  Object.entries(item as Record<string, Operation>)
    .filter(([, { tags }]) => tags.some((tag) => toolTags.includes(tag)))
    .map(([method, operation]) => toolOf(path, method, resolved(operation) as Operation)),
);

function toolOf(path: string, method: string, operation: Operation) {
  const { operationId: name, summary: title, description, responses } = operation;
  const taken = [...parametersOf(operation), ...bodyFieldsOf(operation)];
  const success = Object.keys(responses).find((status) => status.startsWith('2')) ?? '';
  const inputSchema = {
    type: 'object',
    properties: Object.fromEntries(taken.map(({ name, schema }) => [name, schema])),
    required: taken.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    additionalProperties: false,
  };
  const outputSchema = asResult(schemaOf(responses[success])) as Schema;
  const annotations = {
    readOnlyHint: method === 'get',
    destructiveHint: method === 'delete',
    openWorldHint: false,
  };
  return {
    method: method.toUpperCase(),
    path: `/v2${path}`,
    places: new Map(taken.map(({ name, place }) => [name, place])),
    shown: { name, title, description, inputSchema, outputSchema, annotations },
  };
}

function parametersOf({ parameters = [] }: Operation) {
  return parameters
    .filter(({ name, in: place }) => place !== 'header' || name === 'Idempotency-Key')
    .map(({ name, in: place, required: isRequired = false, description, schema }) => ({
      name: place === 'header' ? 'idempotencyKey' : name,
      place,
      schema: { ...asArgument(schema), description } as Schema,
      isRequired,
    }));
}

function bodyFieldsOf({ requestBody }: Operation) {
  const { properties = {}, required = [] }: ObjectSchema = schemaOf(requestBody);
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    place: 'body' as const,
    schema: asArgument(schema),
    isRequired: required.includes(name),
  }));
}

/** No body is an empty object. */
function schemaOf(body: Content | undefined): Schema {
  return body?.content?.['application/json'].schema ?? { type: 'object' };
}

function asArgument({ examples, 'x-enum-varnames': _, ...schema }: Schema): Schema {
  if (schema.format === 'int64' && schema.maximum === undefined) return idOf(schema);
  return schema.type === 'array' ? { ...schema, items: asArgument(schema.items as Schema) } : schema;
}

function asResult(given: unknown): unknown {
  return mapped(given, (value, key) => {
    if (/^(x-|examples?$|format$)/.test(key)) return undefined;
    return key === 'properties' ? mapped(value, fieldOfResult) : asResult(value);
  });
}

function fieldOfResult(schema: unknown, name: string): unknown {
  const { format, description } = schema as Schema;
  return idNames.has(name) && format === 'int64' ? idOf({ description }) : asResult(schema);
}

function idOf({ description }: Schema): Schema {
  return { type: 'string', pattern: ID_PATTERN, description };
}

function resolved(given: unknown): unknown {
  const { $ref } = (given ?? {}) as { $ref?: string };
  if ($ref === undefined) return mapped(given, resolved);
  const steps = $ref.slice('#/'.length).split('/');
  return resolved(steps.reduce((at, step) => at[step] as Schema, v2Document as unknown as Schema));
}

/** Changes the items of a list, or the fields of an object; one that becomes undefined is left out. */
function mapped(given: unknown, change: (value: unknown, key: string) => unknown): unknown {
  if (Array.isArray(given)) return given.map((item) => change(item, ''));
  if (typeof given !== 'object' || given === null) return given;
  const entries = Object.entries(given).map(([key, value]) => [key, change(value, key)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}
