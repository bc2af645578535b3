/** The parts of an OpenAPI document that the reference uses. */
export interface ApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly servers: ReadonlyArray<{ readonly url: string; readonly description?: string }>;
  readonly tags: ReadonlyArray<{ readonly name: string; readonly description?: string }>;
  readonly paths: Paths;
  readonly webhooks?: Paths;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

type Paths = Readonly<Record<string, Readonly<Record<string, RawOperation>>>>;
type Content = Readonly<Record<string, Media>>;

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly 'x-extensible-enum'?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly default?: unknown;
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly example?: unknown;
  readonly examples?: readonly unknown[];
}

export interface Media {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
  readonly example?: unknown;
}

export interface Response {
  readonly status: string;
  readonly description: string;
  readonly content?: Content;
  /** Whether it is common to all operations. */
  readonly isCommon: boolean;
}

/** Responses common to all operations, by component name. */
const commonResponses = /\/(BadRequest|MethodNotAllowed|RequestTimeout|UriTooLong|HeadersTooLarge)$/;

interface RawOperation {
  readonly operationId: string;
  readonly tags?: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly 'x-stability'?: Stability;
  readonly 'x-sunset'?: string;
  readonly parameters?: ReadonlyArray<Parameter | { readonly $ref: string }>;
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Response | { readonly $ref: string }>>;
}

type Stability = 'beta' | 'experimental';

/** The part of an operation's description that its form needs. */
export interface FormOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: Content | undefined;
  readonly responses: readonly Response[];
}

export interface Operation extends FormOperation {
  readonly summary: string;
  readonly description: string;
  readonly stability: Stability | undefined;
  readonly isDeprecated: boolean;
  /** The date on which it is removed. */
  readonly sunset: string | undefined;
  /** Whether it is a webhook message, which can't be tried out. */
  readonly isMessage: boolean;
}

export interface Group {
  /** The tag, and the last part of the page's path. */
  readonly tag: string;
  readonly name: string;
  readonly description: string;
  readonly operations: readonly Operation[];
}

/** Resolves a `$ref` such as `#/components/schemas/Order`. */
export function resolve<T>(document: ApiDocument, value: T | { readonly $ref: string }): T {
  if (typeof value !== 'object' || value === null || !('$ref' in value)) return value as T;
  const [, , kind = '', name = ''] = String(value.$ref).split('/');
  return document.components[kind]?.[name] as T;
}

/** The name of a referenced schema. */
export const nameOf = ({ $ref }: Schema) => $ref?.slice($ref.lastIndexOf('/') + 1);

/** The operations by group, in the order of the document's tags. */
export function groupsOf(document: ApiDocument): Group[] {
  const all = [...operationsIn(document, document.paths, false)];
  all.push(...operationsIn(document, document.webhooks ?? {}, true));
  return document.tags
    .map(({ name, description = '' }) => ({
      tag: name,
      name: name.charAt(0).toUpperCase() + name.slice(1),
      description,
      operations: all.filter(({ tag }) => tag === name),
    }))
    .filter(({ operations }) => operations.length > 0);
}

function* operationsIn(
  document: ApiDocument,
  paths: Paths,
  isMessage: boolean,
): Iterable<Operation & { readonly tag: string }> {
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, raw] of Object.entries(item)) {
      yield {
        tag: raw.tags?.[0] ?? '',
        id: raw.operationId,
        method: method.toUpperCase(),
        path,
        summary: raw.summary,
        description: raw.description ?? '',
        stability: raw['x-stability'],
        isDeprecated: raw.deprecated === true,
        sunset: raw['x-sunset'],
        parameters: (raw.parameters ?? []).map((parameter) => {
          const { schema = {}, ...resolved } = resolve<Parameter>(document, parameter);
          return { ...resolved, schema: resolve<Schema>(document, schema) };
        }),
        body: raw.requestBody?.content,
        responses: Object.entries(raw.responses).map(([status, response]) => ({
          ...resolve<Response>(document, response),
          status,
          isCommon: '$ref' in response && commonResponses.test(response.$ref),
        })),
        isMessage,
      };
    }
  }
}

/** Reduces an operation to what its form needs, because it is embedded in the page. */
export function formOperationOf({ id, method, path, parameters, body, responses }: Operation): FormOperation {
  const examples = (content: Content = {}) =>
    Object.fromEntries(Object.entries(content).map(([type, media]) => [type, { example: exampleOf(media) }]));
  return {
    id,
    method,
    path,
    parameters: parameters.map(({ name, in: place, required, example, schema }) => ({
      name,
      in: place,
      ...(required && { required }),
      ...(example !== undefined && { example }),
      ...(schema?.enum && { schema: { enum: schema.enum } }),
    })),
    body: body && examples(body),
    responses: responses
      .filter(({ status }) => status.startsWith('2'))
      .map(({ status, content }) => ({
        status,
        description: '',
        isCommon: false,
        ...(content && { content: examples(content) }),
      })),
  };
}

/** The first example of a media type. */
export function exampleOf(media: Media | undefined): unknown {
  return media?.example ?? Object.values(media?.examples ?? {})[0]?.value;
}
