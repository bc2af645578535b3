import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import type { Request, Response } from '../server/request.ts';
import { acceptedEncodings, compress, isNotModified } from './negotiation.ts';

/** By name; each function reads a file. */
export type Contents = ReadonlyMap<string, () => Buffer>;

type LazyContent = () => ReturnType<typeof withEtag>;

export interface File {
  readonly type: string;
  readonly plain: LazyContent;
  readonly br?: LazyContent | undefined;
  readonly gzip?: LazyContent | undefined;
}

/** Read on first use: most files and encodings are never requested, and all would take 15 MB. */
function readOnce(read: () => Buffer, etag?: string): LazyContent {
  let content: ReturnType<LazyContent> | undefined;
  return () => {
    content ??= withEtag(read(), etag);
    return content;
  };
}

function withEtag(body: Buffer, etag = contentEtag([body])) {
  return { body, etag };
}

export function contentEtag(chunks: ReadonlyArray<Buffer | string>): string {
  const hash = createHash('sha256');
  for (const chunk of chunks) hash.update(chunk);
  return `"${hash.digest('base64url').slice(0, 22)}"`;
}

export async function compressedFile(type: string, body: Buffer, etag: string): Promise<File> {
  const [br, gzip] = await Promise.all([compress(body, 'br'), compress(body, 'gzip')]);
  return { type, plain: readOnce(() => body, etag), br: readOnce(() => br), gzip: readOnce(() => gzip) };
}

export function fileResponse(request: Request, file: File, headers: readonly string[] = []): Response {
  const accepted = acceptedEncodings(request.headers['accept-encoding']);
  const encoding = accepted.find((name) => file[name] !== undefined);
  const read = (encoding && file[encoding]) ?? file.plain;
  const { body, etag } = read();
  const allHeaders = [...headers, 'content-type', file.type, 'vary', 'Accept-Encoding', 'etag', etag];
  if (isNotModified(request.headers, etag)) return { status: 304, headers: allHeaders };
  if (encoding !== undefined) allHeaders.push('content-encoding', encoding);
  return { status: 200, headers: allHeaders, body, isStatic: true };
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.yaml': 'application/yaml',
  '.txt': 'text/plain; charset=utf-8',
};

export function filesIn(folder: string): Contents {
  if (!existsSync(folder)) return new Map();
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name));
  return new Map(paths.map((path) => [relative(folder, path), () => readFileSync(path)]));
}

export function toFiles(contents: Contents): ReadonlyMap<string, File> {
  const all = new Map(Array.from(contents, ([name, read]) => [name, readOnce(read)]));
  const toFile = (name: string, plain: LazyContent): File => {
    const type = types[extname(name)] ?? 'application/octet-stream';
    return { type, plain, br: all.get(`${name}.br`), gzip: all.get(`${name}.gz`) };
  };
  const plainFiles = [...all].filter(([name]) => !/\.(br|gz)$/.test(name));
  return new Map(plainFiles.map(([name, plain]) => [name, toFile(name, plain)]));
}

export const NOT_BUILT: File = {
  type: 'text/html; charset=utf-8',
  plain: readOnce(() =>
    Buffer.from('<!doctype html><title>Pet Store</title><p>Page not built: run npm run build.\n'),
  ),
};
