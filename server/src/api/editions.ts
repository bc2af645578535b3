/** Our documents are written as OpenAPI 3.1. These are the same document for tools that know another edition. */

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
type JsonObject = { readonly [name: string]: Json };

const EVENT_STREAM = 'text/event-stream';

export function openApi32(document: object): object {
  const written = mapObjects(plain(document), (object) => {
    const stream = object[EVENT_STREAM];
    if (!isObject(stream) || !('schema' in stream)) return object;
    const { schema = {}, ...rest } = stream;
    return { ...object, [EVENT_STREAM]: { itemSchema: schema, ...rest } };
  });
  return { ...written, openapi: '3.2.0' };
}

/** OpenAPI 3.0 has schemas of its own instead of those of JSON Schema, and no webhooks. */
export function openApi30(document: object): object {
  const { webhooks, info, ...rest } = plain(document) as JsonObject & { info: JsonObject };
  const { summary: _, license, ...about } = info;
  const { identifier, name } = license as JsonObject;
  const named = { name, url: `https://spdx.org/licenses/${identifier}.html` };
  const written = mapObjects(rest, (object) => schema30(object));
  return { ...written, openapi: '3.0.3', info: { ...about, license: named } };
}

function schema30(object: JsonObject): JsonObject {
  const { contentMediaType: _, contentSchema: __, ...schema } = object;
  const changed: Record<string, Json> = { ...schema };
  if (Array.isArray(schema.type)) {
    const [type, ...others] = schema.type.filter((name) => name !== 'null');
    if (others.length > 0) throw new Error('OpenAPI 3.0 has no schema of several types');
    changed.type = type as Json;
    if (schema.type.includes('null')) changed.nullable = true;
  }
  if (isSchema(schema) && 'const' in schema) {
    changed.enum = [schema.const as Json];
    delete changed.const;
  }
  if (isSchema(schema) && Array.isArray(schema.examples)) {
    if (schema.examples[0] !== undefined) changed.example = schema.examples[0] as Json;
    delete changed.examples;
  }
  return changed;
}

const isSchema = ({ type }: JsonObject) => type !== undefined;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const plain = (document: object) => JSON.parse(JSON.stringify(document)) as JsonObject;

/** Inner objects come first. Examples are data, and stay as they are. */
function mapObjects(tree: JsonObject, change: (object: JsonObject) => JsonObject): JsonObject {
  const map = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(map);
    return isObject(value) ? mapObjects(value, change) : value;
  };
  const entries = Object.entries(tree).map(([name, value]) => [name, isData(name) ? value : map(value)]);
  return change(Object.fromEntries(entries));
}

const isData = (name: string) => name === 'example' || name === 'examples';
