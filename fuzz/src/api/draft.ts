import type { Random } from '../random.ts';
import type { Operation, Parameter, Schema } from './operations.ts';
import type { Stage, Store } from './stage.ts';
import { toJson, validValue } from './values.ts';

/** A request under construction. */
export interface Draft {
  readonly number: number;
  readonly store: Store;
  readonly operation: Operation;
  method: string;
  path: string;
  /** Names and values, already escaped. */
  query: Array<[name: string, value: string]>;
  headers: Array<[name: string, value: string]>;
  /** A value to serialize as JSON, or raw bytes. */
  body: unknown;
  chunked: boolean;
  /** The expected outcome: accepted, rejected, or either. */
  expects: 'accepted' | 'rejected' | 'either';
  /** False once a mutation has removed or replaced the valid key. */
  isAuthenticated: boolean;
}

export const requestIdOf = (seed: number, number: number) => `fuzz.${seed}.${number}`;

/** A request that is valid according to its document. */
export function validDraft(random: Random, stage: Stage, number: number, requestId: string): Draft {
  const store = random.pick(stage.stores);
  const operations = stage.operations.filter(
    ({ credential }) => credential === 'key' || store.cookie !== undefined,
  );
  const operation = random.pick(operations);
  const values = operation.parameters
    .filter(({ in: place, required }) => place === 'path' || required || random.chance(0.35))
    .map((parameter) => ({
      ...parameter,
      value: parameterValue(random, stage, store, operation, parameter),
    }));
  const parametersIn = (place: string) =>
    values.filter((parameter) => parameter.in === place && parameter.value !== '');
  let path = operation.prefix + operation.template;
  for (const { name, value } of parametersIn('path'))
    path = path.replace(`{${name}}`, encodeURIComponent(value));
  const [type] = Object.keys(operation.bodies);
  const credential: Array<[string, string]> =
    operation.credential === 'key'
      ? [['Authorization', `Bearer ${store.key}`]]
      : [
          ['Cookie', store.cookie ?? ''],
          ['Origin', store.origin],
        ];
  return {
    number,
    store,
    operation,
    method:
      operation.method === 'GET' && operation.credential === 'key' && random.chance(0.1)
        ? 'HEAD'
        : operation.method,
    path,
    query: parametersIn('query').map(({ name, value }) => [name, encodeURIComponent(value)]),
    headers: [
      ['Host', new URL(store.origin).host],
      ['X-Request-Id', requestId],
      ...credential,
      ...parametersIn('header').map(({ name, value }): [string, string] => [name, value]),
      ...(type === undefined ? [] : [['Content-Type', type] as [string, string]]),
    ],
    body: type === undefined ? undefined : validBody(random, stage, store, operation, type),
    chunked: random.chance(0.1),
    expects: operation.credential === 'key' ? 'accepted' : 'either',
    isAuthenticated: true,
  };
}

function parameterValue(
  random: Random,
  stage: Stage,
  store: Store,
  operation: Operation,
  { name, schema, in: place }: Parameter,
): string {
  if (name === 'keyId') return store.keyId ?? 'key_none';
  // Omitted: a cursor is rejected with filters other than those of its page. Empty values are not sent.
  if (name === 'cursor') return '';
  if (name === 'Idempotency-Key') return `fuzz-${random.below(500)}-${random.below(3)}`;
  if (name === 'If-None-Match') return random.pick(['*', 'W/"1-1"', '"x"', 'W/"a", "b"']);
  const value = validValue(random, schema, resolver(stage, operation));
  const written = Array.isArray(value) ? value.map(String).join(',') : String(value);
  // Headers take plain characters only.
  return place === 'header' ? written.replace(/[^\x21-\x7e]/g, '_') : written;
}

function validBody(random: Random, stage: Stage, store: Store, operation: Operation, type: string): unknown {
  const body = validValue(random, operation.bodies[type] as Schema, resolver(stage, operation));
  // Nothing listens on this port, so no webhook request leaves the machine.
  if (body && typeof body === 'object' && 'url' in body) body.url = 'http://127.0.0.1:9/hook';
  // A low limit would reject all further requests to the store.
  if (body && typeof body === 'object' && 'rateLimit' in body) delete body.rateLimit;
  return addMark(body, store.mark);
}

/** Marks the name of a pet with a prefix, and the quantity of an order by being even (0) or odd (1). */
function addMark(body: unknown, mark: number): unknown {
  if (typeof body !== 'object' || body === null) return body;
  const fields = { ...(body as Record<string, unknown>) };
  if (typeof fields.category === 'string' && typeof fields.name === 'string')
    fields.name = [...`${mark}~${fields.name}`].slice(0, 60).join('');
  if (typeof fields.quantity === 'number')
    fields.quantity = Math.max(2, fields.quantity - (fields.quantity % 2)) - (mark % 2);
  return fields;
}

function resolver(stage: Stage, { prefix }: Operation): (schema: Schema) => Schema {
  const components = stage.documents.find((document) => document.prefix === prefix)?.components;
  return (schema) => {
    if (schema.$ref === undefined) return schema;
    let here: unknown = { components };
    for (const step of schema.$ref.slice(2).split('/')) here = (here as Record<string, unknown>)[step];
    return here as Schema;
  };
}

/** The bytes of the request. */
export function serializeRequest({ method, path, query, headers, body, chunked }: Draft): Buffer {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body === undefined ? '' : toJson(body));
  const target =
    query.length === 0 ? path : `${path}?${query.map(([name, value]) => `${name}=${value}`).join('&')}`;
  const framing: Array<[string, string]> =
    body === undefined
      ? []
      : chunked
        ? [['Transfer-Encoding', 'chunked']]
        : [['Content-Length', String(bytes.length)]];
  const head = [...headers, ...framing].map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.concat([
    Buffer.from(`${method} ${target} HTTP/1.1\r\n${head}\r\n`, 'latin1'),
    ...(body === undefined ? [] : chunked ? encodeChunks(bytes) : [bytes]),
  ]);
}

function encodeChunks(bytes: Buffer): Buffer[] {
  const half = Math.ceil(bytes.length / 2);
  const parts = [bytes.subarray(0, half), bytes.subarray(half)].filter((part) => part.length > 0);
  const written = parts.flatMap((part) => [
    Buffer.from(`${part.length.toString(16)}\r\n`),
    part,
    Buffer.from('\r\n'),
  ]);
  return [...written, Buffer.from('0\r\n\r\n')];
}
