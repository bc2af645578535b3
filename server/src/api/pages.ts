import { extname } from 'node:path';
import { fileResponse, NOT_BUILT } from '../http/content/files.ts';
import { ApiError } from '../http/errors.ts';
import type { Servers } from '../http/server/addresses.ts';
import { basePathOf } from '../http/server/base-path.ts';
import type { Handler, Request, Response } from '../http/server/request.ts';
import type { Routes } from '../http/server/routes.ts';
import { builtPages, type InlineHashes, readPages } from './read-pages.ts';

/** Paths below `/console` that have a page. */
const consolePage =
  /^(sign-in|sign-up|open|welcome|orders(\/-?\d+)?|pets|keys|webhooks(\/\w+)?|requests(\/\d+)?|sandbox|account)?\/?$/;

const NOTHING_HERE =
  'There is nothing at this path. The API is under /v1, its OpenAPI document at /v1/openapi.json, its reference at /docs.';

export function createPages(servers: Servers, baseUrl?: string, folder?: string) {
  const basePath = basePathOf(baseUrl);
  const { files, inline } = folder === undefined ? builtPages(basePath) : readPages(basePath, folder);
  const builtFile = (request: Request, name: string): Response => {
    const [, ...otherOrigins] = servers(request).map(({ origin }) => new URL(origin).origin);
    const cache = name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
    const headers = [...pageHeaders(otherOrigins, inline, baseUrl), 'cache-control', cache];
    return fileResponse(request, files.get(name) ?? NOT_BUILT, headers);
  };

  /** Browsers get an HTML page. */
  const notFound: Handler = (request) => {
    const { method, headers } = request;
    const isRead = method === 'GET' || method === 'HEAD';
    const acceptsHtml = /\btext\/html\b/.test(headers.accept ?? '');
    if (!isRead || !acceptsHtml) throw new ApiError('not_found', NOTHING_HERE);
    const { 'if-none-match': _, ...others } = headers;
    const response = builtFile({ ...request, headers: others }, 'not-found.html');
    return { ...response, status: 404, error: 'not_found' };
  };

  return {
    notFound,
    serve(routes: Routes): void {
      const consoleFile: Handler = (request) => {
        const name = request.params['*'] ?? '';
        if (files.has(name) && extname(name) !== '.html') return builtFile(request, name);
        return consolePage.test(name) ? builtFile(request, 'index.html') : notFound(request);
      };
      const pagesIn =
        (parent: string, index: string): Handler =>
        (request) => {
          const file = `${parent}/${request.params['*']?.replace(/\/$/, '') || index}.html`;
          return files.has(file) ? builtFile(request, file) : notFound(request);
        };
      routes.serve('/', { GET: [(request) => builtFile(request, 'landing.html')] });
      for (const [path, handler] of Object.entries({
        docs: pagesIn('docs', 'v1'),
        guides: pagesIn('guides', 'index'),
        console: consoleFile,
      })) {
        routes.serve(`/${path}`, { GET: [handler] });
        routes.serve(`/${path}/*`, { GET: [handler] });
      }
      for (const [path, name] of contractFiles(files))
        routes.serve(path, {
          GET: [(request) => fileResponse(request, files.get(name) ?? NOT_BUILT, anyOrigin)],
        });
      for (const moved of ['decisions', 'migration']) {
        const response = { status: 301, headers: ['location', `/guides/${moved}`] };
        routes.serve(`/docs/${moved}`, { GET: [() => response] });
      }
    },
  };
}

const anyOrigin = ['access-control-allow-origin', '*', 'cache-control', 'no-cache'];

/** Arazzo workflows and overlays, which the console's build copies. */
function contractFiles(files: ReadonlyMap<string, unknown>) {
  const names = [...files.keys()].filter((name) => name.startsWith('contract/'));
  return names.map((name) => [name.replace('contract', '/v2'), name] as const);
}

function pageHeaders(
  otherOrigins: readonly string[],
  { scripts, styles }: InlineHashes,
  baseUrl = '',
): string[] {
  const policy = [
    "default-src 'self'",
    `script-src ${["'self'", ...scripts].join(' ')}`,
    `style-src ${["'self'", ...styles].join(' ')}`,
    "img-src 'self' data:",
    "font-src 'self'",
    // The console checks the other deployment's health.
    `connect-src ${["'self'", ...otherOrigins].join(' ')}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ];
  return Object.entries({
    'content-security-policy': policy.join('; '),
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    ...(baseUrl.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
  }).flat();
}
