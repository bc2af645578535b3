import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const root = new URL('../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

it.each([
  ['## Guarantees', 20],
  ['## Limits', 10],
] as const)('every test that SECURITY-TESTS.md names under "%s" is there, by that name', (title, most) => {
  const section = read('docs/appendix/SECURITY-TESTS.md').split(title)[1]?.split('\n## ')[0] ?? '';
  const promises = section.split('|---|\n')[1]?.split('\n').filter(Boolean) ?? [];
  expect(promises.length).toBeGreaterThan(most);
  for (const promise of promises) {
    const files = [...promise.matchAll(/`([\w-]+\/test\/[\w./-]+)`: ((\*[^*]+\*(, )?)+)/g)];
    expect([promise, files.length]).not.toEqual([promise, 0]);
    for (const [, file, names = ''] of files) {
      const tests = read(`${file}.test.ts`);
      for (const [, name = ''] of names.matchAll(/\*([^*]+)\*/g))
        expect([file, name, tests.includes(name)]).toEqual([file, name, true]);
    }
  }
});
