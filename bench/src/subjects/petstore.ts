import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { requestBytes, send } from '../load/connection.ts';
import { freePort, type Running, run, startServer } from '../processes.ts';

const program = fileURLToPath(new URL('../../../cli/src/main.js', import.meta.url));

/** Where a deployment keeps its data: a folder for SQLite, an address for PostgreSQL. */
export type Place =
  | { readonly engine: 'sqlite'; readonly data: string }
  | { readonly engine: 'postgres'; readonly url: string };

function placeFlags(place: Place, deployment = 'production'): string[] {
  const where = place.engine === 'sqlite' ? ['--data', place.data] : ['--database', place.url];
  return ['--deployment', deployment, ...where];
}

export function databaseFile(place: Place): string {
  if (place.engine !== 'sqlite') throw new Error('PostgreSQL has no file of ours');
  return join(place.data, 'production.db');
}

/** Opens a store with so many orders; answers with its key. */
export async function seed(place: Place, orders: number): Promise<string> {
  const args = [program, 'seed', '--orders', String(orders), ...placeFlags(place)];
  return (await run({ command: process.execPath, args })).trim();
}

/** Opens a store with the demonstration data; answers with its key. */
export async function createKey(place: Place, deployment?: string): Promise<string> {
  const args = [program, 'keys', 'create', ...placeFlags(place, deployment)];
  return (await run({ command: process.execPath, args })).trim();
}

/** The service as a user runs it, logging and all; what is logged goes nowhere. */
export async function startPetstore(
  place: Place,
  key: string,
  {
    slowFlushes,
    flags: more = [],
    deployment,
  }: { slowFlushes?: number | undefined; flags?: readonly string[]; deployment?: string } = {},
): Promise<Running & { readyAfter: number }> {
  // Staging listens on the port after the one that is named.
  const first = await freePort();
  const port = deployment === 'staging' ? first + 1 : first;
  return startServer('petstore', {
    command: process.execPath,
    args: [program, 'serve', '--port', String(first), '--no-demo', ...placeFlags(place, deployment), ...more],
    port,
    slowFlushes,
    ready: requestBytes('GET', '/v1/pets', { key }),
  });
}

/** Both deployments with the demonstration data, as `npm start` runs them. */
export async function startDemonstration(data: string): Promise<Running & { readyAfter: number }> {
  const port = await freePort();
  return startServer('petstore', {
    command: process.execPath,
    args: [program, 'serve', '--port', String(port), '--data', data],
    port,
    ready: requestBytes('GET', '/healthz'),
  });
}

export async function hasV2({ port }: Running, key: string): Promise<boolean> {
  return (await send(port, requestBytes('GET', '/v2/store/orders?limit=1', { key }))).status === 200;
}
