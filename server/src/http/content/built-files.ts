import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { type File, type FileForm, fileForm, makePlainFile } from './files.ts';

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
    const [br, gzip] = [forms.get(`${name}.br`), forms.get(`${name}.gz`)];
    const type = types[extname(name)] ?? 'application/octet-stream';
    return { type, plain, compressed: { ...(br && { br }), ...(gzip && { gzip }) } };
  };
  const files = [...forms].filter(([name]) => !/\.(br|gz)$/.test(name));
  return new Map(files.map(([name, form]) => [name, fileOf(name, form)]));
}

export const NOT_BUILT = makePlainFile(
  'text/html; charset=utf-8',
  '<!doctype html><title>Pet Store</title><p>This page is not built: run npm run build.\n',
);
