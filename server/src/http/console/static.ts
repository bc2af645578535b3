import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { acceptedEncodings } from '../content/compression.ts';
import { ApiError } from '../errors.ts';
import type { Servers } from '../openapi/contract.ts';
import { pageHeaders } from './security-headers.ts';

/** Where the console's build leaves its files. */
const builtConsole = fileURLToPath(new URL('../../../../console/dist', import.meta.url));

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
};

const encodings = { br: '.br', gzip: '.gz' } as const;
/** Not for anyone to ask for by name. */
const hidden = ['.html', ...Object.values<string>(encodings)];

interface PageOptions {
  readonly servers: Servers;
  readonly baseUrl: string | undefined;
  readonly folder?: string | undefined;
}

/** The landing page at `/` and the console at `/console`: files read once, at the start, and sent from memory. */
export function servePages(
  app: FastifyInstance,
  { servers, baseUrl, folder = builtConsole }: PageOptions,
): void {
  const files = readFolder(folder);
  const send = (request: FastifyRequest, reply: FastifyReply, name: string) => {
    reply.headers(
      pageHeaders(
        servers()
          .slice(1)
          .map(({ origin }) => origin),
        baseUrl,
      ),
    );
    const cache = name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
    reply.header('cache-control', cache);
    return sendFile(request, reply, files, name);
  };

  app.get('/', async (request, reply) => send(request, reply, 'landing.html'));
  const open = async (request: FastifyRequest, reply: FastifyReply) => {
    const name = (request.params as { '*'?: string })['*'] ?? '';
    if (files.has(name) && !hidden.includes(extname(name))) return send(request, reply, name);
    if (/^(assets|api)(\/|$)/.test(name)) throw new ApiError('not_found');
    return send(request, reply, 'index.html');
  };
  app.get('/console', open);
  app.get('/console/*', open);
}

interface File {
  readonly body: Buffer;
  readonly etag: string;
}

/** Every file below the folder, by its path in it. */
function readFolder(folder: string): Map<string, File> {
  if (!existsSync(folder)) return new Map();
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return new Map(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => {
        const path = join(entry.parentPath, entry.name);
        const body = readFileSync(path);
        return [
          relative(folder, path),
          { body, etag: `"${hash('sha256', body, 'base64url').slice(0, 22)}"` },
        ];
      }),
  );
}

function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  files: ReadonlyMap<string, File>,
  name: string,
): FastifyReply {
  const plain = files.get(name);
  reply.header('content-type', types[extname(name)] ?? 'application/octet-stream');
  if (!plain) return reply.send(NOT_BUILT);
  const encoding = acceptedEncodings(request.headers['accept-encoding']).find((accepted) =>
    files.has(name + encodings[accepted]),
  );
  const encoded = encoding && files.get(name + encodings[encoding]);
  const { body, etag } = encoded ?? plain;
  reply.header('vary', 'Accept-Encoding').header('etag', etag);
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  if (encoded) reply.header('content-encoding', encoding);
  return reply.send(body);
}

const NOT_BUILT = '<!doctype html><title>Pet Store</title><p>The console is not built: run npm run build.\n';
