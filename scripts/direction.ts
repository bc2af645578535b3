import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/**
 * The rooms of the service, from the top down: a file imports from its own room and from those below it, so that no two
 * rooms import each other. Files beside the rooms are wiring, which knows everything, or ground, which knows nothing.
 */
const rooms = [
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
  'ground',
];
const ground = [
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
/** The commands start the app. */
const started = ['app.ts', 'open-deployment.ts', 'open-private-store.ts'];

const root = 'server/src';
const files = globSync(`${root}/**/*.{ts,js}`);

function roomOf(path: string): string {
  const [first = '', ...rest] = path.slice(root.length + 1).split('/');
  if (rest.length > 0) return first;
  return ground.includes(first) ? 'ground' : 'wiring';
}

function isAllowed(from: string, to: string): boolean {
  const [above, below] = [rooms.indexOf(roomOf(from)), rooms.indexOf(roomOf(to))];
  if (above === -1 || below === -1) return false;
  return above <= below || (roomOf(from) === 'commands' && started.some((name) => to === `${root}/${name}`));
}

const wrong = files.flatMap((from) =>
  [...readFileSync(from, 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)]
    .map(([, path = '']) => normalize(join(dirname(from), path)))
    .filter((to) => to.startsWith(root) && !isAllowed(from, to))
    .map((to) => `${from} imports ${to}: ${roomOf(from)} stands below ${roomOf(to)}`),
);
for (const line of wrong) console.error(line);
process.exitCode = wrong.length > 0 ? 1 : 0;
