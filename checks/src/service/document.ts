import { once } from './check.ts';
import { expectStatus } from './expect.ts';
import type { Client } from './http.ts';
import { Mismatch } from './mismatch.ts';

export type Json = { readonly [name: string]: unknown };

/** The OpenAPI document that the service publishes, fetched once. */
export type PublishedDocument = {
  read(): Promise<Json>;
  /** Its operations by method and path, such as `get /pets`. */
  operations(): Promise<Map<string, Json>>;
};

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'];

export function publishedDocument(
  client: Client,
  prefix?: string,
  path = '/openapi.json',
): PublishedDocument {
  const read = once(async (): Promise<Json> => {
    const response = await client.send({ path, key: null, ...(prefix && { prefix }) });
    expectStatus(response, 200);
    try {
      return JSON.parse(response.text) as Json;
    } catch {
      throw new Mismatch('a JSON document', response.text, response.request);
    }
  });
  return { read, operations: async () => operationsOf(await read()) };
}

/** A part of a document; an empty object where there is none, so that a check fails with its own message. */
export function at(value: unknown, ...path: (string | number)[]): Json {
  let node = value;
  for (const step of path) node = (node as Record<string | number, unknown> | undefined)?.[step];
  return (node ?? {}) as Json;
}

function operationsOf(document: Json): Map<string, Json> {
  const found = new Map<string, Json>();
  for (const [path, item] of Object.entries(at(document, 'paths'))) {
    for (const [method, operation] of Object.entries(item as Json)) {
      if (methods.includes(method)) found.set(`${method} ${path}`, operation as Json);
    }
  }
  return found;
}

/** The server URLs of the document, with the default of each variable filled in. */
export function serversOf(document: Json): string[] {
  const servers = (Array.isArray(document.servers) ? document.servers : []) as Json[];
  return servers.map((server) =>
    String(server.url).replace(/\{(\w+)\}/g, (_, name: string) =>
      String(at(server, 'variables', name).default ?? `{${name}}`),
    ),
  );
}
