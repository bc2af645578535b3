import { extname } from 'node:path';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { filesOf, NOT_BUILT } from '../content/built-files.ts';
import { fileAnswer } from '../content/files.ts';
import type { Servers } from '../openapi/contract.ts';
import { notFound } from '../openapi/operation.ts';
import { type Answer, answering, type Handler, type Send } from '../server/answer.ts';
import { readConsole } from './built-console.ts';
import { pageHeaders } from './security-headers.ts';

interface PageOptions {
  readonly servers: Servers;
  readonly baseUrl: string | undefined;
  readonly folder?: string | undefined;
}

/** The landing page at `/` and the console at `/console`: files read once, at the start, and sent from memory. */
export function servePages(
  app: FastifyInstance,
  send: Send,
  { servers, baseUrl, folder }: PageOptions,
): void {
  const files = filesOf(readConsole(folder));
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
    // Pages have addresses of their own.
    if (files.has(name) && extname(name) !== '.html') return page(request, name);
    if (/^(assets|api)(\/|$)/.test(name)) return notFound();
    return page(request, 'index.html');
  };
  app.get('/console', answering(open, send));
  app.get('/console/*', answering(open, send));
}
