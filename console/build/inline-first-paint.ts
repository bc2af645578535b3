import { hash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const STYLES = /<link rel="stylesheet"[^>]* href="\/console\/([^"]+)">/g;
const THEME = /<script src="\/console\/(assets\/before-paint-[^"]+)"><\/script>/g;

/**
 * Inlines the styles and the theme script into each page, so that the first response renders text on a slow network.
 * Their hashes go into `inline.json`, from which the service builds its Content-Security-Policy.
 */
export async function inlineFirstPaint(folder: string): Promise<void> {
  const styles = new Map<string, string>();
  const scripts = new Map<string, string>();
  const names = await readdir(folder, { recursive: true });
  for (const name of names.filter((file) => file.endsWith('.html'))) {
    const path = join(folder, name);
    const page = await readFile(path, 'utf8');
    for (const [, file = ''] of page.matchAll(STYLES)) styles.set(file, await read(folder, file));
    for (const [, file = ''] of page.matchAll(THEME)) scripts.set(file, await read(folder, file));
    const inlined = page
      .replace(STYLES, (_, file: string) => `<style>${styles.get(file)}</style>`)
      .replace(THEME, (_, file: string) => `<script>${scripts.get(file)}</script>`);
    await writeFile(path, inlined);
  }
  const hashes = { styles: hashesOf(styles), scripts: hashesOf(scripts) };
  await writeFile(join(folder, 'inline.json'), JSON.stringify(hashes));
}

const read = (folder: string, file: string) => readFile(join(folder, file), 'utf8');

const hashesOf = (texts: ReadonlyMap<string, string>) =>
  Array.from(texts.values(), (text) => `'sha256-${hash('sha256', text, 'base64')}'`);
