import { hash } from 'node:crypto';
import { type Contents, toFiles } from '../http/content/files.ts';
import { consoleFiles } from './built-console.ts';

/** Hashes of inline scripts and styles, for the Content-Security-Policy. */
export type InlineHashes = Readonly<Record<'scripts' | 'styles', readonly string[]>>;

export function readPages(basePath: string, folder?: string) {
  const contents = consoleFiles(folder);
  if (basePath !== '') return pagesUnder(basePath, contents);
  const inline: InlineHashes = JSON.parse(
    String(contents.get('inline.json')?.() ?? '{"scripts":[],"styles":[]}'),
  );
  return { files: toFiles(contents), inline };
}

/** Adds the base path to paths in pages. Scripts and style sheets have relative paths; scripts also read `data-base-path`. */
function pagesUnder(basePath: string, contents: Contents) {
  const others = [...contents].filter(([name]) => !/\.html(\.br|\.gz)?$/.test(name));
  const pages = [...contents].filter(([name]) => name.endsWith('.html'));
  const rewritten = pages.map(([name, read]) => [name, pageUnder(basePath, String(read()))] as const);
  const hashesOf = (inline: RegExp) => {
    const texts = rewritten.flatMap(([, page]) => Array.from(page.matchAll(inline), ([, text = '']) => text));
    return [...new Set(texts)].map((text) => `'sha256-${hash('sha256', text, 'base64')}'`);
  };
  const inline = {
    styles: hashesOf(/<style>(.*?)<\/style>/gs),
    scripts: hashesOf(/<script>(.*?)<\/script>/gs),
  };
  const files = [...others, ...rewritten.map(([name, page]) => [name, () => Buffer.from(page)] as const)];
  return { files: toFiles(new Map(files)), inline };
}

const pageUnder = (basePath: string, page: string) =>
  page
    .replace('<html', `<html data-base-path="${basePath}"`)
    .replaceAll(/( (?:href|src)="|url\()\//g, `$1${basePath}/`);

const built = new Map<string, ReturnType<typeof readPages>>();

/** Read once for all deployments. */
export function builtPages(basePath: string) {
  const pages = built.get(basePath) ?? readPages(basePath);
  built.set(basePath, pages);
  return pages;
}
