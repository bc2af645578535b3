import { Readable } from 'node:stream';
import { memoizeAsync } from '../concurrency/memoize-async.ts';
import { yieldToNewConnections } from '../concurrency/yield-to-event-loop.ts';
import { deployments, type ServerAddress } from '../domain/deployment.ts';
import { extensibleEventSchemas } from '../events/event-schemas.ts';
import { compressedFile, contentEtag, type File, fileResponse } from '../http/content/files.ts';
import { isNotModified } from '../http/content/negotiation.ts';
import type { DocumentedServers, OpenApiDocument } from '../http/openapi/openapi.ts';
import type { Servers } from '../http/server/addresses.ts';
import { addBasePath, basePathOf } from '../http/server/base-path.ts';
import type { Request, Response } from '../http/server/request.ts';
import type { Routes } from '../http/server/routes.ts';
import { buildV1Document, v1Document } from '../v1/document.ts';
import { openApi30, openApi32 } from './editions.ts';
import { buildEventsDocument } from './events-document.ts';
import { buildV2Document, v2Document, v2Paths } from './v2-document.ts';

export const documents: Readonly<Record<string, OpenApiDocument>> = { '/v1': v1Document, '/v2': v2Document };

const forms = {
  json: (document: object) => JSON.stringify(document, null, 2),
  yaml: writeYaml,
};

/** A document is cached and compressed for this many sets of addresses. Requests with any further `Host` get it uncompressed. */
const MAX_CACHED = 4;

const headers = ['access-control-allow-origin', '*', 'cache-control', 'no-cache', 'vary', 'Host'];

/** Serves the API documents without a key, and with the service's actual addresses in them. */
export function serveContract(routes: Routes, servers: Servers): void {
  const serve = (path: string, document: (servers: DocumentedServers) => object) => {
    for (const [ending, write] of Object.entries(forms)) {
      const respond = documentResponses(`application/${ending}`, async (servers) =>
        write(withBasePath(document(servers), basePathOf(servers[0].origin))),
      );
      const handler = (request: Request) => respond(request, servers(request));
      routes.serve(`${path}.${ending}`, { GET: [handler] });
    }
  };
  const editions = { '': (document: object) => document, '-3.2': openApi32, '-3.0': openApi30 };
  for (const [name, edition] of Object.entries(editions)) {
    serve(`/v1/openapi${name}`, (servers) => edition(buildV1Document(servers), v1Document.paths));
    serve(`/v2/openapi${name}`, (servers) =>
      edition(buildV2Document(servers), v2Paths, extensibleEventSchemas),
    );
  }
  serve('/v2/asyncapi', buildEventsDocument);
}

/** Adds the base path to links in descriptions, and to examples of `Location` and `Link`. */
function withBasePath(document: object, basePath: string): object {
  if (basePath === '') return document;
  return JSON.parse(JSON.stringify(document), (key, value) => {
    if (typeof value !== 'string') return value;
    if (key === 'example') return addBasePath(value, basePath);
    return key === 'description' ? value.replaceAll('](/', `](${basePath}/`) : value;
  });
}

/** Serializes a document once, with a placeholder for each host. Responses for different hosts share all other chunks. */
function documentResponses(type: string, write: (servers: DocumentedServers) => Promise<string>) {
  const templates = new Map<string, () => Promise<Template>>();
  const cached = new Map<string, () => Promise<File>>();

  const documentFor = async (servers: DocumentedServers) => {
    const withPlaceholders = servers.map(({ name, origin }) => ({
      name,
      origin: withHost(origin, placeholder(name)),
    }));
    const cacheKey = cacheKeyOf(withPlaceholders);
    const template =
      templates.get(cacheKey) ??
      memoizeAsync(async () => templateOf(await write(withPlaceholders as unknown as DocumentedServers)));
    templates.set(cacheKey, template);
    const hosts = new Map<string, Buffer>(
      servers.map(({ name, origin }) => [name, Buffer.from(new URL(origin).host)]),
    );
    const { chunks, digest } = await template();
    return {
      chunks: chunks.map((chunk) => (typeof chunk === 'string' ? hosts.get(chunk) : chunk) as Buffer),
      // Hashing the whole document would take longer than everything else about the request.
      etag: contentEtag([digest, ...[...hosts.values()].flatMap((host) => [' ', host])]),
    };
  };

  return async (request: Request, servers: DocumentedServers): Promise<Response> => {
    const cacheKey = cacheKeyOf(servers);
    const compressed = memoizeAsync(async () => {
      const { chunks, etag } = await documentFor(servers);
      return compressedFile(type, Buffer.concat(chunks), etag);
    });
    if (!cached.has(cacheKey) && cached.size < MAX_CACHED) cached.set(cacheKey, compressed);
    const file = await cached.get(cacheKey)?.();
    if (file) return fileResponse(request, file, headers);
    const { chunks, etag } = await documentFor(servers);
    const head = [...headers, 'content-type', type, 'vary', 'Accept-Encoding', 'etag', etag];
    if (isNotModified(request.headers, etag)) return { status: 304, headers: head };
    await yieldToNewConnections(request.address);
    const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    const body = Readable.from(chunks, { objectMode: false });
    return { status: 200, headers: [...head, 'content-length', String(length)], body };
  };
}

interface Template {
  /** Bytes, or the name of the deployment whose host goes there. */
  readonly chunks: ReadonlyArray<Buffer | string>;
  readonly digest: string;
}

function templateOf(text: string): Template {
  const parts = text.split(new RegExp(`(${Object.keys(deployments).join('|')})\\.invalid`));
  const chunks = parts.map((part, index) => (index % 2 === 1 ? part : Buffer.from(part)));
  return { chunks: chunks.filter(({ length }) => length), digest: contentEtag([text]) };
}

const placeholder = (name: string) => `${name}.invalid`;
const withHost = (origin: string, host: string) =>
  `${new URL(origin).protocol}//${host}${basePathOf(origin)}`;
const cacheKeyOf = (servers: readonly ServerAddress[]) => servers.map(({ origin }) => origin).join(' ');

export async function writeYaml(document: object): Promise<string> {
  const { stringify } = await import('yaml');
  // YAML 1.1 parsers read unquoted dates as timestamps.
  return stringify(document, { compat: 'yaml-1.1', lineWidth: 110, aliasDuplicateObjects: false });
}
