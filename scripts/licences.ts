import { existsSync, readFileSync } from 'node:fs';

/** Lists the licenses of all production dependencies. */
interface Locked {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly link?: boolean;
  readonly optional?: boolean;
}

const root = new URL('../', import.meta.url);
const { packages } = JSON.parse(readFileSync(new URL('package-lock.json', root), 'utf8')) as {
  packages: Record<string, Locked>;
};

/** Optional packages are platform-specific: those not installed here ship for other platforms. */
const isHere = (path: string) => existsSync(new URL(`${path}/package.json`, root));
const ships = ([path, { dev, devOptional, link, optional }]: [string, Locked]) =>
  path.includes('node_modules/') && !dev && !devOptional && !link && (!optional || isHere(path));

const shipped = Object.entries(packages)
  .filter(ships)
  .map(([path, locked]) => ({
    name: `${path.split('node_modules/').at(-1)}@${locked.version}`,
    licence: locked.license ?? licenceOf(path),
  }));

for (const [licence, all] of Map.groupBy(shipped, (one) => one.licence)) {
  console.log(`${licence} (${all.length})`);
  for (const name of new Set(all.map((one) => one.name).sort())) console.log(`  ${name}`);
}
const unknown = shipped.filter(({ licence }) => licence === 'unknown');
if (unknown.length > 0) process.exitCode = 1;

/** The license in package.json, if the lockfile does not have it. */
function licenceOf(path: string): string {
  try {
    const { license } = JSON.parse(readFileSync(new URL(`${path}/package.json`, root), 'utf8'));
    return typeof license === 'string' ? license : (license?.type ?? 'unknown');
  } catch {
    return 'unknown';
  }
}
