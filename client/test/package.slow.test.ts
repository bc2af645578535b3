import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { checkPackage, Package } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { build } from 'vite';
import { beforeAll, describe, expect, it } from 'vitest';

const folder = fileURLToPath(new URL('..', import.meta.url));
const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));

describe('the package', () => {
  beforeAll(() => execFileSync(process.execPath, [tsc, '--project', folder]));

  it('passes publint', async () => {
    const { messages } = await publint({ pkgDir: folder, strict: true });
    expect(messages).toEqual([]);
  });

  it('exposes its types to every way of importing an ES module', async () => {
    const names = ['package.json', ...readdirSync(`${folder}/dist`).map((name) => `dist/${name}`)];
    const files = names.map((name) => [
      `/node_modules/@petstore/client/${name}`,
      readFileSync(`${folder}/${name}`, 'utf8'),
    ]);
    const checked = await checkPackage(new Package(Object.fromEntries(files), '@petstore/client', '1.0.0'));
    expect(checked.types).toEqual({ kind: 'included' });
    const problems = 'problems' in checked ? checked.problems : [];
    // It is an ES module, which CommonJS modules import as one; node10 resolution ignores `exports`.
    const serious = problems.filter(({ kind }) => kind !== 'CJSResolvesToESM');
    expect(
      serious.filter((problem) => !('resolutionKind' in problem) || problem.resolutionKind !== 'node10'),
    ).toEqual([]);
  });

  it('has no dependencies, needs no specific runtime, and is under 10 kB', async () => {
    const created = await build({
      root: folder,
      configFile: false,
      logLevel: 'silent',
      build: {
        write: false,
        minify: true,
        target: 'es2023',
        lib: { entry: 'dist/index.js', formats: ['es'] },
      },
    });
    const [bundle] = [created].flat() as { output: { code: string; imports: string[] }[] }[];
    const [chunk] = bundle?.output ?? [];
    expect(bundle?.output).toHaveLength(1);
    expect(chunk?.imports).toEqual([]);
    expect(chunk?.code).not.toMatch(/\bprocess\b|\bBuffer\b|\brequire\b/);
    const size = gzipSync(chunk?.code ?? '').length;
    expect(size).toBeGreaterThan(1_000);
    expect(size).toBeLessThan(10_000);
  });
});
