import { join } from 'node:path';
import { packProgram } from '../../../packaging/src/tarballs.ts';
import { requestBytes } from '../load/connection.ts';
import { folder, freePort, type Running, run, startServer } from '../processes.ts';

/** As it is published: the sources would also be measured with what strips their types. */
const packed = folder('package');
await packProgram(packed);
const program = join(packed, 'dist/petstore.js');

/** Where a key may open further stores. */
const DEPLOYMENT = 'staging';

/** Where the deployment keeps its data: a folder for SQLite, an address for PostgreSQL. */
export type Place =
  | { readonly engine: 'sqlite'; readonly data: string }
  | { readonly engine: 'postgres'; readonly url: string };

function flagsOf(place: Place): string[] {
  const where = place.engine === 'sqlite' ? ['--data', place.data] : ['--database', place.url];
  return ['--deployment', DEPLOYMENT, ...where];
}

export function databaseFile({ data }: Place & { engine: 'sqlite' }): string {
  return join(data, `${DEPLOYMENT}.db`);
}

/** Opens a store with so many orders; answers with its key. */
export async function seed(place: Place, orders: number): Promise<string> {
  const args = [program, 'seed', '--orders', String(orders), ...flagsOf(place)];
  return (await run({ command: process.execPath, args })).trim();
}

/** Opens a store with the demonstration data; answers with its key. */
export async function createKey(place: Place): Promise<string> {
  const args = [program, 'keys', 'create', ...flagsOf(place)];
  return (await run({ command: process.execPath, args })).trim();
}

/** The service as a user runs it, logging and all; what is logged goes nowhere. */
export async function startPetstore(place: Place, key: string): Promise<Running> {
  const port = await freePort();
  return startServer('petstore', {
    command: process.execPath,
    args: [program, 'serve', '--port', String(port), '--no-demo', ...flagsOf(place)],
    port,
    mayBeNext: true,
    ready: requestBytes('GET', '/v1/pets', { key }),
  });
}
