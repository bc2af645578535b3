import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const root = new URL('../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

it('ARCHITECTURE.md and CONTRIBUTING.md name only files that are there', () => {
  const named = [...read('docs/ARCHITECTURE.md').matchAll(/`(server\/src\/[^`]+|scripts\/[^`]+)`/g)].map(
    ([, path = '']) => path,
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
});

it.each(['README.md', 'docs/README.md'])('%s links only to what is there', (page) => {
  const links = [...read(page).matchAll(/\]\(([^)#]+)\)/g)].map(([, link = '']) => link);
  expect(links.length).toBeGreaterThan(10);
  const here = new URL(page, root);
  expect(links.filter((link) => !existsSync(new URL(link, here)))).toEqual([]);
});

it('the README is short enough to be read', () => {
  expect(read('README.md').split(/\s+/).length).toBeLessThanOrEqual(600);
});
