import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type File, fileAnswer, fileForm } from '../content/files.ts';
import type { Servers } from '../openapi/contract.ts';
import { notFound } from '../openapi/operation.ts';
import { type Answer, answering, type Handler, type Send } from '../server/answer.ts';
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
  send: Send,
  { servers, baseUrl, folder = builtConsole }: PageOptions,
): void {
  const files = readFolder(folder);
  const page = (request: FastifyRequest, name: string): Answer => {
    const others = servers()
      .slice(1)
      .map(({ origin }) => origin);
    const cache = name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
    const headers = [...pageHeaders(others, baseUrl), 'cache-control', cache];
    return fileAnswer(request, files.get(name) ?? NOT_BUILT, headers);
  };

  app.get(
    '/',
    answering((request) => page(request, 'landing.html'), send),
  );
  const open: Handler = (request) => {
    const name = (request.params as { '*'?: string })['*'] ?? '';
    if (files.has(name) && !hidden.includes(extname(name))) return page(request, name);
    if (/^(assets|api)(\/|$)/.test(name)) return notFound();
    return page(request, 'index.html');
  };
  app.get('/console', answering(open, send));
  app.get('/console/*', answering(open, send));
}

/** Every file below the folder, by its path in it, with the compressed forms that lie beside it. */
function readFolder(folder: string): ReadonlyMap<string, File> {
  if (!existsSync(folder)) return new Map();
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const forms = new Map(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [relative(folder, path), fileForm(readFileSync(path))]),
  );
  const compressed = (name: string) =>
    Object.fromEntries(
      Object.entries(encodings).flatMap(([encoding, ending]) => {
        const form = forms.get(name + ending);
        return form ? [[encoding, form]] : [];
      }),
    );
  return new Map(
    Array.from(forms, ([name, plain]) => [
      name,
      { type: types[extname(name)] ?? 'application/octet-stream', plain, compressed: compressed(name) },
    ]),
  );
}

const NOT_BUILT: File = {
  type: 'text/html; charset=utf-8',
  plain: fileForm(
    Buffer.from('<!doctype html><title>Pet Store</title><p>The console is not built: run npm run build.\n'),
  ),
  compressed: {},
};
