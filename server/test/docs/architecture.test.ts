import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const root = new URL('../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

it('ARCHITECTURE.md and CONTRIBUTING.md name only existing files', () => {
  const named = [...read('docs/ARCHITECTURE.md').matchAll(/`(server\/src\/[^`]+|scripts\/[^`]+)`/g)].map(
    ([, path = '']) => path,
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
});
