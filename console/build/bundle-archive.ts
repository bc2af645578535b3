import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface ArchivedFile {
  readonly path: string;
  readonly text?: string;
  readonly base64?: string;
}

/** The committed bundle: a JSON line with the hash of its sources, then one per file. Merging two never conflicts. */
export function readArchive(path: string) {
  const [first = '{}', ...files] = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  return {
    sources: JSON.parse(first).sources as string,
    files: files.map((line): ArchivedFile => JSON.parse(line)),
  };
}

export function writeArchive(path: string, folder: string, sources: string): void {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
    .sort();
  const lines = [{ sources }, ...names.map((name) => archived(name, readFileSync(join(folder, name))))];
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

export function unpackArchive(path: string, folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  for (const { path: name, text, base64 = '' } of readArchive(path).files) {
    const target = join(folder, name);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text ?? Buffer.from(base64, 'base64'));
  }
}

const archived = (path: string, bytes: Buffer): ArchivedFile =>
  /\.(woff2|webp)$/.test(path)
    ? { path, base64: bytes.toString('base64') }
    : { path, text: bytes.toString() };
