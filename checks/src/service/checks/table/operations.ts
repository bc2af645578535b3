import type { Context } from '../../context.ts';
import { at, type Json, publishedDocument } from '../../document.ts';
import type { Client, Response } from '../../http.ts';
import { resolve } from './schema.ts';

/** An operation of one of the published documents. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly prefix: string;
  /** With parameter names: `/store/orders/{orderId}`. */
  readonly path: string;
  readonly definition: Json;
  readonly document: Json;
}

/** Every operation of both versions' documents, in order. Only OpenAPI 3.2 describes QUERY. */
export async function operationsOf({ client, v2, document }: Pick<Context, 'client' | 'v2' | 'document'>) {
  const operations: Operation[] = [];
  const prefix = client.base.pathname.replace(/\/+$/, '');
  for (const [version, published] of [
    [prefix, document],
    [client.v2, (await v2.exists()) ? publishedDocument(client, client.v2, '/openapi-3.2.json') : undefined],
  ] as const) {
    if (!published) continue;
    for (const [name, definition] of await published.operations()) {
      const [method = '', path = ''] = name.split(' ');
      // HEAD is checked with GET.
      if (method === 'head') continue;
      const id = String(definition.operationId);
      const root = await published.read();
      operations.push({
        id,
        method: method.toUpperCase(),
        prefix: version,
        path,
        definition,
        document: root,
      });
    }
  }
  return operations;
}

/** The documented response of a status; undefined if there is none. */
export function documentedResponse({ definition, document }: Operation, status: number): Json | undefined {
  const response = at(definition, 'responses')[status] as Json | undefined;
  return response && '$ref' in response ? resolve(document, String(response.$ref)) : response;
}

/** Finds the operation that a request was for. HEAD is documented with GET. */
export function operationFinder(operations: readonly Operation[]) {
  const patterns = operations.map((operation) => {
    const path = (operation.prefix + operation.path).replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+');
    return { operation, pattern: new RegExp(`^${path}$`) };
  });
  const cache = new Map<string, Operation | undefined>();
  return ({ requestText }: Response): Operation | undefined => {
    const [call, verb = '', path = ''] = /^(\S+) ([^? ]*)/.exec(requestText) ?? [''];
    if (cache.has(call)) return cache.get(call);
    const method = verb === 'HEAD' ? 'GET' : verb;
    const found = patterns.filter(
      ({ operation, pattern }) => operation.method === method && pattern.test(path),
    );
    // A path without parameters is more specific.
    const operation = (found.find(({ operation }) => !operation.path.includes('{')) ?? found[0])?.operation;
    cache.set(call, operation);
    return operation;
  };
}

/** Ids of the store to be checked, by the names of path parameters. */
export type Samples = Readonly<Record<string, string>>;

/** The path with sample ids; undefined if there is no sample for a parameter. */
export function samplePath({ path }: Operation, samples: Samples): string | undefined {
  const filled = path.replace(/\{(\w+)\}/g, (whole, name: string) => samples[name] ?? whole);
  return filled.includes('{') ? undefined : filled;
}

export const isStream = ({ path }: Operation): boolean => path.endsWith('/stream');

export const callOf = ({ method, prefix }: Operation, path: string) => ({ method, prefix, path });

/** Sends raw bytes: an HTTP library would hide a body after the response to HEAD. */
export const sendHead = (
  client: Client,
  prefix: string,
  path: string,
  headers: Record<string, string> = {},
) => {
  const v1 = client.base.pathname.replace(/\/+$/, '');
  const text = client.requestText({ method: 'HEAD', path, headers });
  return client.sendBytes(text.replace(`HEAD ${v1}`, `HEAD ${prefix}`), `HEAD ${prefix}${path}`);
};
