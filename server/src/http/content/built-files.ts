import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { type File, fileForm } from './files.ts';

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
const isCompressed = (name: string) => Object.values<string>(encodings).includes(extname(name));

export function readFolder(folder: string): ReadonlyMap<string, Buffer> {
  if (!existsSync(folder)) return new Map();
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return new Map(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
      .map((name) => [name, readFileSync(join(folder, name))]),
  );
}

export function filesOf(contents: ReadonlyMap<string, Buffer>): ReadonlyMap<string, File> {
  const forms = new Map(Array.from(contents, ([name, body]) => [name, fileForm(body)]));
  const compressed = (name: string) =>
    Object.fromEntries(
      Object.entries(encodings).flatMap(([encoding, ending]) => {
        const form = forms.get(name + ending);
        return form ? [[encoding, form]] : [];
      }),
    );
  const type = (name: string) => types[extname(name)] ?? 'application/octet-stream';
  return new Map(
    [...forms]
      .filter(([name]) => !isCompressed(name))
      .map(([name, plain]) => [name, { type: type(name), plain, compressed: compressed(name) }]),
  );
}

export const NOT_BUILT: File = {
  type: 'text/html; charset=utf-8',
  plain: fileForm(
    Buffer.from('<!doctype html><title>Pet Store</title><p>This page is not built: run npm run build.\n'),
  ),
  compressed: {},
};
