import { v2Document } from '../api/v2-document.ts';

type Schema = Readonly<Record<string, unknown>>;
type Place = 'path' | 'query' | 'header' | 'body';

/** An operation of version 2: `places` says where in a request each argument belongs. */
export interface Tool {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: {
    readonly type: 'object';
    readonly properties: Record<string, Schema>;
    readonly required: string[];
    readonly additionalProperties: false;
  };
  readonly outputSchema: Schema;
  readonly places: ReadonlyMap<string, Place>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}
interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly Schema[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Schema>>;
}
interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

/** Ids are text here: many programs would round the integer. */
export const ID_PATTERN = '^-?[0-9]{1,19}$';
export const idNames: ReadonlySet<string> = new Set(['id', 'petId']);
const toolTags = ['orders', 'pets'];
const headers: Readonly<Record<string, string>> = { 'Idempotency-Key': 'idempotencyKey' };

export const tools: readonly Tool[] = Object.entries(v2Document.paths).flatMap(([path, item]) =>
  Object.entries(item as Record<string, Operation>)
    .filter(([, { tags }]) => tags.some((tag) => toolTags.includes(tag)))
    .map(([method, operation]) => toolOf(path, method, operation)),
);

function toolOf(path: string, method: string, operation: Operation): Tool {
  const properties: Record<string, Schema> = {};
  const required: string[] = [];
  const places = new Map<string, Place>();
  const add = (name: string, place: Place, schema: Schema, isRequired: boolean) => {
    properties[name] = schema;
    places.set(name, place);
    if (isRequired) required.push(name);
  };
  for (const given of operation.parameters ?? []) {
    const {
      name,
      in: where,
      required: isRequired = false,
      description,
      schema,
    } = resolved(given) as unknown as Parameter;
    const known = where === 'header' ? headers[name] : name;
    if (known !== undefined) add(known, where as Place, { ...argument(schema), description }, isRequired);
  }
  const body = operation.requestBody?.content?.['application/json']?.schema;
  const fields = body && (resolved(body) as { properties: Record<string, Schema>; required?: string[] });
  // A pet's id in the path is not changed by what stands in the body.
  for (const [name, schema] of Object.entries(fields?.properties ?? {}))
    add(name, 'body', argument(schema), fields?.required?.includes(name) ?? false);
  return {
    name: operation.operationId,
    method: method.toUpperCase(),
    path: `/v2${path}`,
    title: operation.summary,
    description: operation.description,
    inputSchema: { type: 'object', properties, required, additionalProperties: false },
    outputSchema: resultOf(operation),
    places,
  };
}

/** No body makes an empty object. */
function resultOf({ responses }: Operation): Schema {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  const { content } = resolved(success ?? {}) as Content;
  const schema = content?.['application/json']?.schema;
  return schema ? (shown(schema) as Schema) : { type: 'object' };
}

/** Nothing is referred to, and ids are text. */
function shown(given: unknown, name?: string): unknown {
  if (Array.isArray(given)) return given.map((one) => shown(one));
  if (given === null || typeof given !== 'object') return given;
  const schema = resolved(given as Schema);
  if (name !== undefined && idNames.has(name) && schema.format === 'int64') return idOf(schema);
  const kept = Object.entries(schema).filter(([key]) => !/^(x-|examples?$|format$)/.test(key));
  return Object.fromEntries(
    kept.map(([key, value]) => [key, key === 'properties' ? allShown(value as Schema) : shown(value)]),
  );
}

function allShown(properties: Schema): Schema {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, shown(schema, name)]));
}

function idOf({ description }: Schema): Schema {
  return { type: 'string', pattern: ID_PATTERN, description };
}

function argument(given: Schema): Schema {
  const { examples, 'x-enum-varnames': _, ...schema } = resolved(given);
  if (schema.type === 'integer' && schema.format === 'int64' && schema.maximum === undefined)
    return idOf(schema);
  return schema.type === 'array' ? { ...schema, items: argument(schema.items as Schema) } : schema;
}

function resolved(schema: Schema): Schema {
  if (typeof schema.$ref !== 'string') return schema;
  const steps = schema.$ref.slice('#/'.length).split('/');
  return steps.reduce((at, step) => at[step] as Schema, v2Document as unknown as Schema);
}
