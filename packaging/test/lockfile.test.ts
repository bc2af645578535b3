import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface Package {
  readonly version?: string;
  readonly link?: boolean;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
}

const read = (name: string) => JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8'));
const packages = Object.entries<Package>(read('package-lock.json').packages).filter(
  ([path, { link }]) => path.includes('node_modules/') && !link,
);

/** Installed by `npm ci --omit=dev`; npm's count includes the links to workspaces. */
const light = Object.entries<Package>(read('package-lock.json').packages).filter(
  ([path, { dev, devOptional }]) => path.includes('node_modules/') && !dev && !devOptional,
);

it('an installation without development dependencies has at most 60 packages and contains no Node or build tools', () => {
  expect(light.length).toBeGreaterThan(30);
  expect(light.length).toBeLessThanOrEqual(60);
  const tools = /\/(node-(bin-)?(linux|darwin|win)-|vite$|rolldown|esbuild|tailwindcss|react)/;
  expect(light.map(([path]) => path).filter((path) => tools.test(path))).toEqual([]);
});

/** Platform builds of the console's build tools: npm omits their checksums. */
const otherPlatforms = /^node_modules\/(@biomejs\/cli|@rolldown\/binding|@tailwindcss\/oxide)-/;

it('every package is pinned by checksum, except builds of three tools for other platforms', () => {
  const unknown = packages.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'));
  expect(packages.length).toBeGreaterThan(100);
  expect(unknown.map(([path]) => path).filter((path) => !otherPlatforms.test(path))).toEqual([]);
});

it('no shipped package runs an install script, and Node is a package like any other', () => {
  const scripted = light.filter(([, { hasInstallScript }]) => hasInstallScript);
  expect(scripted.map(([path]) => path)).toEqual([]);
  const { optionalDependencies } = read('packaging/node/package.json');
  for (const [name, version] of Object.entries(optionalDependencies))
    expect(packages.find(([path]) => path === `node_modules/${name}`)?.[1].version).toBe(version);
});

it('dependencies are pinned to exact versions', () => {
  const { workspaces } = read('package.json');
  const ranges = ['.', 'packaging/node', ...workspaces].flatMap((folder: string) => {
    const { dependencies, devDependencies, optionalDependencies } = read(`${folder}/package.json`);
    const all = { ...dependencies, ...devDependencies, ...optionalDependencies };
    return Object.entries<string>(all).filter(
      ([, version]) => !/^(\d+\.\d+\.\d+(-[\w.]+)?|file:.*)$/.test(version),
    );
  });
  expect(ranges).toEqual([]);
});
