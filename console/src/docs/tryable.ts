import type { Present } from './present.ts';
import { samplesOf } from './samples.ts';

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly example?: unknown;
}

interface Media {
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
}

export interface ApiDocument {
  readonly servers: ReadonlyArray<{ url: string }>;
  readonly tags: ReadonlyArray<{ name: string }>;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly parameters?: Readonly<Record<string, Parameter>>; [part: string]: unknown };
}

/**
 * The document as it is tried out: nothing is sent that nobody chose, ids are of orders and pets that are there, the
 * key is the page's own, and every operation shows how it is called.
 */
export function tryable(document: ApiDocument, deployment: string, present: Present): object {
  const { parameters: shared = {}, securitySchemes: _, ...components } = document.components;
  const base = document.servers[0]?.url ?? '';
  const isHere = (path: string) => deployment === 'staging' || !path.startsWith('/sandbox/');
  const paths = Object.entries(document.paths)
    .filter(([path]) => isHere(path))
    .map(([path, item]) => [
      path,
      Object.fromEntries(
        Object.entries(item).map(([method, operation]) => [
          method,
          asTried(operation, { method: method.toUpperCase(), url: base + path, present, shared }),
        ]),
      ),
    ]);
  return {
    ...document,
    servers: document.servers.slice(0, 1),
    security: [],
    tags: document.tags.filter(({ name }) => name !== 'sandbox' || deployment === 'staging'),
    paths: Object.fromEntries(paths),
    components: { ...components, parameters: mapped(shared, (parameter) => asOffered(parameter, {})) },
  };
}

interface Place {
  readonly method: string;
  readonly url: string;
  readonly present: Present;
  readonly shared: Readonly<Record<string, Parameter>>;
}

function asTried(operation: Operation, { method, url, present, shared }: Place): object {
  const { operationId, parameters = [], requestBody } = operation;
  const values = { ...present['*'], ...present[operationId] };
  const full = parameters.map((parameter) => referred(parameter, shared));
  const path = full
    .filter((parameter) => parameter.in === 'path')
    .reduce((text, { name, example }) => text.replace(`{${name}}`, String(values[name] ?? example)), url);
  // The pet of the story is one that only a store that followed it has.
  const body = operationId === 'placeOrder' ? { petId: Number(values.petId), quantity: 1 } : undefined;
  const content = requestBody && withExample(requestBody.content, body);
  return {
    ...operation,
    parameters: full.map((parameter) => asOffered(parameter, values)),
    ...(content && { requestBody: { ...requestBody, content } }),
    'x-codeSamples': samplesOf({ method, url: path, body: content && bodyOf(content) }),
  };
}

function referred(parameter: Parameter, shared: Readonly<Record<string, Parameter>>): Parameter {
  return parameter.$ref === undefined
    ? parameter
    : (shared[parameter.$ref.slice(parameter.$ref.lastIndexOf('/') + 1)] ?? parameter);
}

/** An optional parameter shows its example and leaves the choice to whoever tries it. */
function asOffered({ example, ...parameter }: Parameter, values: Present[string]): object {
  const value = parameter.in === 'path' ? (values[parameter.name] ?? example) : example;
  if (value === undefined) return parameter;
  return { ...parameter, examples: { example: { value, 'x-disabled': parameter.required !== true } } };
}

type Content = Readonly<Record<string, Media>>;

function withExample(content: Content, example: object | undefined): Content {
  return example ? mapped(content, (media) => ({ ...media, example })) : content;
}

function bodyOf(content: Content): string {
  const [media] = Object.values(content);
  return JSON.stringify(media?.example ?? Object.values(media?.examples ?? {})[0]?.value);
}

function mapped<T, U>(record: Readonly<Record<string, T>>, map: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}
