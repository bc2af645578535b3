/** The part of JSON Schema needed to generate valid values. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly 'x-extensible-enum'?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly uniqueItems?: boolean;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly additionalProperties?: unknown;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
  readonly example?: unknown;
}

interface Response {
  readonly content?: Readonly<Record<string, { schema: Schema }>>;
  readonly headers?: Readonly<Record<string, unknown>>;
}

export interface Operation {
  /** The prefix of the base address, such as `/v1`. */
  readonly prefix: string;
  readonly name: string;
  readonly method: string;
  readonly template: string;
  readonly parameters: readonly Parameter[];
  /** The schema of the body by media type; empty if the operation takes no body. */
  readonly bodies: Readonly<Record<string, Schema>>;
  /** Documented statuses; undefined for an operation without a document. */
  readonly responses: Readonly<Record<string, Response>> | undefined;
  /** The required credential: a key, or a console session. */
  readonly credential: 'key' | 'session';
}

export interface ApiDocument {
  readonly prefix: string;
  readonly components: object;
  readonly operations: readonly Operation[];
}

type Json = Record<string, unknown>;

const methods = ['get', 'put', 'post', 'patch', 'delete'];
/** Sandbox operations break responses, or replace whole stores, on purpose. */
const notFuzzed = /^\/sandbox\//;

export async function fetchDocument(origin: string, prefix: string): Promise<ApiDocument> {
  const response = await fetch(`${origin}${prefix}/openapi.json`);
  if (response.status !== 200) throw new Error(`${origin}${prefix}/openapi.json returned ${response.status}`);
  return readDocument(prefix, (await response.json()) as Json);
}

function readDocument(prefix: string, document: Json): ApiDocument {
  const found = Object.entries(document.paths as Record<string, Json>).flatMap(([template, item]) =>
    methods
      .filter((method) => item[method] !== undefined && !notFuzzed.test(template))
      .map((method) => operationOf(document, prefix, template, method, item[method] as Json)),
  );
  return { prefix, components: document.components as object, operations: found };
}

function operationOf(
  document: Json,
  prefix: string,
  template: string,
  method: string,
  operation: Json,
): Operation {
  const resolve = <T>(value: unknown) => dereference<T>(document, value);
  const content = resolve<Json | undefined>(operation.requestBody)?.content as Record<
    string,
    { schema: Schema }
  >;
  return {
    prefix,
    name: `${prefix.slice(1)}.${operation.operationId}`,
    method: method.toUpperCase(),
    template,
    parameters: ((operation.parameters ?? []) as unknown[]).map((parameter) => resolve<Parameter>(parameter)),
    bodies: Object.fromEntries(
      Object.entries(content ?? {}).map(([type, { schema }]) => [type, resolve<Schema>(schema)]),
    ),
    responses: Object.fromEntries(
      Object.entries(operation.responses as Json).map(([status, response]) => [
        status,
        resolve<Response>(response),
      ]),
    ),
    credential: 'key',
  };
}

function dereference<T>(document: Json, value: unknown): T {
  const reference = (value as { $ref?: string } | undefined)?.$ref;
  if (reference === undefined) return value as T;
  let here: unknown = document;
  for (const step of reference.slice(2).split('/')) here = (here as Json)[step];
  return here as T;
}

/** The operation that a request target names. Escaped characters are not decoded. */
export function operationAt(
  operations: readonly Operation[],
  method: string,
  target: string,
): Operation | undefined {
  const path = target.replace(/[?#].*$/s, '');
  return operations.find(
    (operation) =>
      (operation.method === method || (method === 'HEAD' && operation.method === 'GET')) &&
      new RegExp(`^${operation.prefix}${operation.template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path),
  );
}
