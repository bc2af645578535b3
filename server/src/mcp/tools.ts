import { features, type V2Services, v2Document } from '../api/v2-document.ts';
import type { Operation } from '../http/operations/operation.ts';

type Schema = Readonly<Record<string, unknown>>;
type ObjectSchema = { readonly properties?: Record<string, Schema>; readonly required?: readonly string[] };

interface Documented {
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

/** Ids are strings in tools: many JSON parsers would round the integer. */
export const ID_PATTERN = '^(0|-?[1-9][0-9]{0,18})$';
export const idNames: ReadonlySet<string> = new Set(['id', 'petId']);
/** The argument for the Idempotency-Key header. */
const IDEMPOTENCY_ARGUMENT = 'idempotencyKey';
const toolTags = ['orders', 'pets'];

export type Tool = ReturnType<typeof toolOf>;

export const tools: readonly Tool[] = features
  .filter(({ tag }) => toolTags.includes(tag))
  .flatMap(({ operations }) => operations)
  // `queryOrders` does the same as `listOrders`.
  .filter(({ method }) => method !== 'query')
  .map(toolOf);

function toolOf({ operationId: name, method, handle, document }: Operation<V2Services>) {
  // References are resolved: each tool is described on its own.
  const documented = transformJson(document as unknown as Documented, resolveReference);
  const { summary: title, responses } = documented;
  const description = documented.description.replaceAll('Idempotency-Key', IDEMPOTENCY_ARGUMENT);
  const parameters = [...parametersOf(documented), ...bodyFieldsOf(documented)];
  const success = Object.keys(responses).find((status) => status.startsWith('2')) ?? '';
  const inputSchema = {
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    required: parameters.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    additionalProperties: false,
  };
  const outputSchema = resultSchema(schemaOf(responses[success]));
  const annotations = {
    readOnlyHint: method === 'get',
    destructiveHint: method === 'delete',
    openWorldHint: false,
  };
  return {
    method: method.toUpperCase(),
    handle,
    parameters: new Map(parameters.map((argument) => [argument.name, argument])),
    definition: { name, title, description, inputSchema, outputSchema, annotations },
  };
}

function parametersOf({ parameters = [] }: Documented) {
  return parameters
    .filter(({ name, in: place }) => place !== 'header' || name === 'Idempotency-Key')
    .map(({ name, in: place, required: isRequired = false, description, schema }) => ({
      name: place === 'header' ? IDEMPOTENCY_ARGUMENT : name,
      place,
      schema: { ...argumentSchema(schema), description } as Schema,
      isRequired,
    }));
}

function bodyFieldsOf({ requestBody }: Documented) {
  const { properties = {}, required = [] }: ObjectSchema = schemaOf(requestBody);
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    place: 'body' as const,
    schema: argumentSchema(schema),
    isRequired: required.includes(name),
  }));
}

/** Without a body: any object. */
function schemaOf(body: Content | undefined): Schema {
  return body?.content?.['application/json'].schema ?? { type: 'object' };
}

function argumentSchema({ examples, 'x-enum-varnames': _, ...schema }: Schema): Schema {
  if (schema.format === 'int64' && schema.maximum === undefined) return idSchema(schema);
  return schema.type === 'array' ? { ...schema, items: argumentSchema(schema.items as Schema) } : schema;
}

function resultSchema(schema: Schema): Schema {
  return transformJson(schema, (name, part) => {
    if (/^(x-|examples?$|format$)/.test(name)) return undefined;
    return idNames.has(name) && part.format === 'int64' ? idSchema(part) : part;
  });
}

function idSchema({ description }: Schema): Schema {
  return { type: 'string', pattern: ID_PATTERN, description };
}

function resolveReference(name: string, part: Schema): Schema {
  if (typeof part?.$ref !== 'string') return part;
  const steps = part.$ref.slice('#/'.length).split('/');
  const target = steps.reduce((at, step) => at[step] as Schema, v2Document as unknown as Schema);
  return resolveReference(name, target);
}

/** Transforms every part, outermost first; undefined removes it. */
function transformJson<T>(whole: T, change: (name: string, part: Schema) => unknown): T {
  return JSON.parse(JSON.stringify(whole, change));
}
