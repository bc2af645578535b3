import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import type { Request, Response } from '../server/request.ts';
import { acceptedEncodings, compress, isNotModified } from './negotiation.ts';

type FileForm = ReturnType<typeof fileForm>;

export interface File {
  readonly type: string;
  readonly plain: FileForm;
  readonly br?: FileForm | undefined;
  readonly gzip?: FileForm | undefined;
}

function fileForm(body: Buffer) {
  return { body, etag: etagOf([body]) };
}

export function etagOf(chunks: readonly Buffer[]): string {
  const hash = createHash('sha256');
  for (const chunk of chunks) hash.update(chunk);
  return `"${hash.digest('base64url').slice(0, 22)}"`;
}

export async function makeFile(type: string, body: Buffer): Promise<File> {
  const file = { type, plain: fileForm(body) };
  const [br, gzip] = await Promise.all([compress(file.plain.body, 'br'), compress(file.plain.body, 'gzip')]);
  return { ...file, br: fileForm(br), gzip: fileForm(gzip) };
}

export function fileResponse(request: Request, file: File, headers: readonly string[] = []): Response {
  const accepted = acceptedEncodings(request.headers['accept-encoding']);
  const encoding = accepted.find((name) => file[name] !== undefined);
  const { body, etag } = (encoding && file[encoding]) ?? file.plain;
  const head = [...headers, 'content-type', file.type, 'vary', 'Accept-Encoding', 'etag', etag];
  if (isNotModified(request.headers, etag)) return { status: 304, headers: head };
  if (encoding !== undefined) head.push('content-encoding', encoding);
  return { status: 200, headers: head, body, isStatic: true };
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.txt': 'text/plain; charset=utf-8',
};

export function readFolder(folder: string): ReadonlyMap<string, Buffer> {
  if (!existsSync(folder)) return new Map();
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return new Map(paths.map((path) => [relative(folder, path), readFileSync(path)]));
}

export function filesOf(contents: ReadonlyMap<string, Buffer>): ReadonlyMap<string, File> {
  const forms = new Map(Array.from(contents, ([name, body]) => [name, fileForm(body)]));
  const fileOf = (name: string, plain: FileForm): File => {
    const type = types[extname(name)] ?? 'application/octet-stream';
    return { type, plain, br: forms.get(`${name}.br`), gzip: forms.get(`${name}.gz`) };
  };
  const files = [...forms].filter(([name]) => !/\.(br|gz)$/.test(name));
  return new Map(files.map(([name, form]) => [name, fileOf(name, form)]));
}

export const NOT_BUILT: File = {
  type: 'text/html; charset=utf-8',
  plain: fileForm(
    Buffer.from('<!doctype html><title>Pet Store</title><p>This page is not built: run npm run build.\n'),
  ),
};
