import { type DescribedPaths, withHeadAndPreferences } from './every-operation.ts';

/** The documents are written in OpenAPI 3.1. These are conversions for tools that need another version. */

type JsonObject = Readonly<Record<string, unknown>>;

const EVENT_STREAM = 'text/event-stream';

/** OpenAPI 3.2 has a hierarchy of tags. */
const parents: Readonly<Record<string, string>> = { webhooks: 'events', messages: 'webhooks' };

function withParent(tag: { readonly name: string }): object {
  const parent = parents[tag.name];
  return { ...tag, kind: 'nav', ...(parent && { parent }) };
}

/** `schemas` replace those of the document. */
export function openApi32(document: object, paths: object, schemas: object = {}): object {
  const { components } = document as { components: { schemas: object } };
  const extended = { ...components, schemas: { ...components.schemas, ...schemas } };
  const complete = { ...document, ...withHeadAndPreferences(paths as DescribedPaths, extended) };
  const converted = mapObjects(complete, (object) => {
    const stream = object[EVENT_STREAM];
    if (!isObject(stream) || !('schema' in stream)) return object;
    const { schema, ...rest } = stream;
    return { ...object, [EVENT_STREAM]: { itemSchema: schema, ...rest } };
  });
  const { tags = [] } = document as { tags?: ReadonlyArray<{ name: string }> };
  return { ...converted, openapi: '3.2.0', tags: tags.map(withParent) };
}

/** OpenAPI 3.0 has its own schema dialect instead of JSON Schema, and no webhooks. */
export function openApi30(document: object): object {
  const { webhooks: _, info, ...converted } = mapObjects(document, schema30);
  const { summary, license, ...about } = info as JsonObject;
  const { identifier, name } = license as JsonObject;
  const named = { name, url: `https://spdx.org/licenses/${identifier}.html` };
  return { ...converted, openapi: '3.0.3', info: { ...about, license: named } };
}

function schema30({ contentMediaType, contentSchema, ...schema }: JsonObject): JsonObject {
  if (schema.type === undefined) return schema;
  const { const: only, examples, ...rest } = schema;
  const [example] = Array.isArray(examples) ? examples : [];
  const types = [schema.type].flat();
  const [first, ...others] = types.filter((name) => name !== 'null');
  if (others.length > 0) throw new Error('OpenAPI 3.0 does not support several types in one schema');
  return {
    ...rest,
    type: first,
    ...(types.includes('null') && { nullable: true }),
    ...(only !== undefined && { enum: [only] }),
    ...(example !== undefined && { example }),
  };
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Innermost objects first. Examples never look like schemas, so they are unchanged. */
function mapObjects(document: object, change: (object: JsonObject) => JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(document), (_, value) => (isObject(value) ? change(value) : value));
}
