import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface Package {
  readonly version?: string;
  readonly link?: boolean;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
  readonly dev?: boolean;
}

const read = (name: string) => JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8'));
const packages = Object.entries<Package>(read('package-lock.json').packages).filter(
  ([path, { link }]) => path.includes('node_modules/') && !link,
);

/** Platform builds of the console's build tools: npm omits their checksums. */
const elsewhere = /^node_modules\/(@biomejs\/cli|@rolldown\/binding|@tailwindcss\/oxide)-/;

it('every package is pinned by checksum, except builds of three tools for other platforms', () => {
  const unknown = packages.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'));
  expect(packages.length).toBeGreaterThan(100);
  expect(unknown.map(([path]) => path).filter((path) => !elsewhere.test(path))).toEqual([]);
});

it('no shipped package runs an install script, and Node is a package like any other', () => {
  // A generator under test brings esbuild along; npm lists it under Vite, which could use it but does not.
  const shipped = packages.filter(([path, { dev }]) => !dev && path !== 'node_modules/esbuild');
  expect(shipped.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path)).toEqual([]);
  const { optionalDependencies } = read('package.json');
  for (const [name, version] of Object.entries(optionalDependencies)) {
    expect(shipped.find(([path]) => path.endsWith(`node_modules/${name}`))?.[1].version).toBe(version);
  }
});

it('dependencies are pinned to exact versions', () => {
  const { workspaces } = read('package.json');
  const ranges = ['.', ...workspaces].flatMap((folder: string) => {
    const { dependencies, devDependencies, optionalDependencies } = read(`${folder}/package.json`);
    const all = { ...dependencies, ...devDependencies, ...optionalDependencies };
    return Object.entries<string>(all).filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version));
  });
  expect(ranges).toEqual([]);
});
