import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const root = new URL('../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

it('every test that SECURITY.md names is there, by that name', () => {
  const section = read('SECURITY.md').split('### Which test would notice')[1]?.split('\n## ')[0] ?? '';
  const promises = section.split('\n').slice(5).filter(Boolean);
  expect(promises.length).toBeGreaterThan(20);
  for (const promise of promises) {
    const files = [...promise.matchAll(/`([\w-]+\/test\/[\w/-]+)`: ((\*[^*]+\*(, )?)+)/g)];
    expect([promise, files.length]).not.toEqual([promise, 0]);
    for (const [, file, names = ''] of files) {
      const tests = read(`${file}.test.ts`);
      for (const [, name = ''] of names.matchAll(/\*([^*]+)\*/g))
        expect([file, name, tests.includes(name)]).toEqual([file, name, true]);
    }
  }
});
