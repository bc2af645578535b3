import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/**
 * The layers of the service, from top to bottom: a file imports only from its own layer and those below, so that no two
 * layers import each other. Files at the root are wiring, which imports everything, or shared utilities, which import nothing.
 */
const layers = [
  'wiring',
  'commands',
  'transfer',
  'mcp',
  'api',
  'v1',
  'sandbox',
  'webhooks',
  'summary',
  'requests',
  'accounts',
  'events',
  'orders',
  'pets',
  'keys',
  'stores',
  'http',
  'writer',
  'config',
  'database',
  'shared',
];
const shared = [
  'background.ts',
  'deployment.ts',
  'fair-shares.ts',
  'key-format.ts',
  'keyed-semaphore.ts',
  'log.ts',
  'made-once.ts',
  'once-a-turn.ts',
  'password-limits.ts',
  'quotas.ts',
  'refusal.ts',
  'thread-files.ts',
  'timeouts.ts',
  'traceparent.ts',
  'vocabulary.ts',
  'yield-turn.ts',
];
/** Wiring that commands may import, to start the app. */
const startable = ['app.ts', 'open-deployment.ts', 'open-private-store.ts'];

const root = 'server/src';
const files = globSync(`${root}/**/*.{ts,js}`);

function layerOf(path: string): string {
  const [first = '', ...rest] = path.slice(root.length + 1).split('/');
  if (rest.length > 0) return first;
  return shared.includes(first) ? 'shared' : 'wiring';
}

function isAllowed(from: string, to: string): boolean {
  const [above, below] = [layers.indexOf(layerOf(from)), layers.indexOf(layerOf(to))];
  if (above === -1 || below === -1) return false;
  return (
    above <= below || (layerOf(from) === 'commands' && startable.some((name) => to === `${root}/${name}`))
  );
}

const wrong = files.flatMap((from) =>
  [...readFileSync(from, 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)]
    .map(([, path = '']) => normalize(join(dirname(from), path)))
    .filter((to) => to.startsWith(root) && !isAllowed(from, to))
    .map((to) => `${from} imports ${to}: ${layerOf(from)} is below ${layerOf(to)}`),
);
for (const line of wrong) console.error(line);
process.exitCode = wrong.length > 0 ? 1 : 0;
