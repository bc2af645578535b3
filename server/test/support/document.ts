import { documents } from '../../src/api/contract.ts';

export type Json = Readonly<Record<string, unknown>>;
export interface Place {
  readonly at: string;
  readonly value: Json;
}

export const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;
/** A copy, as parsed from JSON. */
export const publishedDocument = (prefix: string): Json => JSON.parse(JSON.stringify(documents[prefix]));

/** Every object of a document with its path, except those in examples. */
export function* objectsOf(value: unknown, at = '#'): Iterable<Place> {
  if (!isObject(value)) return;
  if (!Array.isArray(value)) yield { at, value };
  for (const [key, part] of Object.entries(value)) {
    if (key !== 'example' && key !== 'examples') yield* objectsOf(part, `${at}/${key.replaceAll('/', '~1')}`);
  }
}

export function follow(document: Json, $ref: string): unknown {
  const steps = $ref.split('/').slice(1);
  return steps.reduce<unknown>(
    (at, step) => (at as Json | undefined)?.[step.replaceAll('~1', '/')],
    document,
  );
}

/** The part itself, or the target of its reference. */
export function resolved(document: Json, part: unknown): Json {
  const { $ref } = part as { $ref?: string };
  return ($ref === undefined ? part : follow(document, $ref)) as Json;
}

const schemaKeys = ['type', 'enum', 'const', 'properties', 'items'];
export const isSchema = ({ value }: Place) => schemaKeys.some((key) => key in value) && !('scheme' in value);
export const typesOf = ({ type }: Json) => [type ?? []].flat() as string[];

/** Every media type, parameter and header, with its schema and examples. */
export function* examplesOf(document: Json): Iterable<{ at: string; schema: Json; examples: unknown[] }> {
  for (const { at, value } of objectsOf(document)) {
    if (!isObject(value.schema)) continue;
    const several = isObject(value.examples) ? Object.values(value.examples as Record<string, Json>) : [];
    const examples = [...('example' in value ? [value.example] : []), ...several.map(({ value }) => value)];
    yield { at, schema: value.schema, examples };
  }
}

export interface Operation {
  readonly operationId: string;
  readonly path: string;
  readonly method: string;
  readonly parameters?: ReadonlyArray<Json>;
  readonly requestBody?: { readonly content: Record<string, { readonly example: Json }> };
  readonly responses: Record<string, Json>;
  readonly [field: string]: unknown;
}

export function operationsOf(document: Json): Operation[] {
  return Object.entries(
    document.paths as Record<string, Record<string, Omit<Operation, 'path' | 'method'>>>,
  ).flatMap(
    ([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ ...operation, path, method })) as Operation[],
  );
}
