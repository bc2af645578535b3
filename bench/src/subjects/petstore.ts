import { join } from 'node:path';
import { buildConsole } from '../../../console/scripts/build.ts';
import { packProgram } from '../../../packaging/src/tarballs.ts';
import { sendRequest } from '../load.ts';
import { createFolder, freePort, type RunningServer, run, startServer } from '../processes.ts';
import { scriptPath } from './bare.ts';

/** The service as published: compiled and in one package. */
await buildConsole();
const packed = createFolder('package');
await packProgram(packed);
const program = join(packed, 'dist/petstore.js');

const DEPLOYMENT = 'staging';

/** The data folder for SQLite, the connection URL for PostgreSQL. */
export type DatabaseLocation =
  | { readonly engine: 'sqlite'; readonly data: string }
  | { readonly engine: 'postgres'; readonly url: string };

function valuesOf(location: DatabaseLocation) {
  const where = location.engine === 'sqlite' ? { data: location.data } : { database: location.url };
  return { deployment: DEPLOYMENT, ...where };
}

function flagsOf(location: DatabaseLocation): string[] {
  return Object.entries(valuesOf(location)).flatMap(([name, value]) => [`--${name}`, value]);
}

export function databaseFile({ data }: DatabaseLocation & { engine: 'sqlite' }): string {
  return join(data, `${DEPLOYMENT}.db`);
}

/** Creates a store with generated orders; returns its key. */
export async function seed(location: DatabaseLocation, orders: number): Promise<string> {
  const args = [program, 'seed', '--orders', String(orders), ...flagsOf(location)];
  return (await run({ command: process.execPath, args })).trim();
}

/** Creates a store with the demonstration data; returns its key. */
export async function createKey(location: DatabaseLocation): Promise<string> {
  const args = [program, 'keys', 'create', ...flagsOf(location)];
  return (await run({ command: process.execPath, args })).trim();
}

/** Creates stores with generated orders; returns their keys. */
export async function seedStores(
  location: DatabaseLocation,
  count: number,
  orders: number,
): Promise<string[]> {
  const flags = JSON.stringify({ ...valuesOf(location), orders: String(orders) });
  const args = [scriptPath('seed-stores'), String(count), flags];
  return (await run({ command: process.execPath, args })).trim().split('\n');
}

/** Enough stock of pet 1 for every order of a measurement. */
export async function fillStock({ port }: RunningServer, key: string): Promise<void> {
  const body = JSON.stringify({ stock: 100_000_000 });
  const response = await sendRequest(port, '/v2/pets/1', { method: 'PATCH', key, body });
  if (response.status !== 200) throw new Error(`the stock was not set: ${response.status} ${response.body}`);
}

/** The service with its defaults; its log goes to /dev/null. */
export async function startPetstore(location: DatabaseLocation, key: string): Promise<RunningServer> {
  const port = await freePort();
  return startServer('petstore', {
    command: process.execPath,
    args: [
      program,
      'serve',
      '--port',
      String(port),
      '--no-demo',
      '--max-orders',
      'none',
      ...flagsOf(location),
    ],
    port,
    tryNextPort: true,
    path: '/v1/pets',
    key,
  });
}
