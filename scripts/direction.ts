import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/**
 * The layers of the service, from top to bottom: a file imports only from its own layer and the layers below it.
 * Each layer is a folder of `server/src`; those of `http/` are listed one by one.
 */
const layers = [
  'commands',
  'transfer',
  'app',
  'mcp',
  'api',
  'v1',
  'sandbox',
  'webhooks',
  'summary',
  'requests',
  'accounts',
  'provisioning',
  'events',
  'orders',
  'pets',
  'keys',
  'rate-limiting',
  'audit-log',
  'stores',
  'http/operations',
  'http/pages',
  'http/content',
  'http/fields',
  'http/openapi',
  'http/observe',
  'http/guards',
  'http/server',
  'http/encoding',
  'http',
  'writer',
  'telemetry',
  'database',
  'concurrency',
  'config',
  'domain',
];

const root = 'server/src';
const files = globSync(`${root}/**/*.{ts,js}`);

function layerOf(path: string): string {
  const [first = '', second = '', third] = path.slice(root.length + 1).split('/');
  return first === 'http' && third !== undefined ? `${first}/${second}` : first;
}

function isAllowed(from: string, to: string): boolean {
  const [above, below] = [layers.indexOf(layerOf(from)), layers.indexOf(layerOf(to))];
  return above !== -1 && above <= below;
}

const wrong = files.flatMap((from) =>
  [...readFileSync(from, 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)]
    .map(([, path = '']) => normalize(join(dirname(from), path)))
    .filter((to) => to.startsWith(root) && !isAllowed(from, to))
    .map((to) => `${from} imports ${to}: ${layerOf(from)} is below ${layerOf(to)}`),
);
for (const line of wrong) console.error(line);
process.exitCode = wrong.length > 0 ? 1 : 0;
