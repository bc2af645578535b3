import { fileURLToPath } from 'node:url';
import { requestBytes } from '../load/connection.ts';
import { freePort, type Running, startServer } from '../processes.ts';
import { databaseFile, type Place } from './petstore.ts';

type Limit =
  | 'bare-cancel-server'
  | 'bare-cancel-thread-server'
  | 'bare-place-server'
  | 'bare-place-thread-server';

/** Starts the least that a service on Node.js could do to a store on SQLite. */
export async function startLimit(limit: Limit, place: Place, storeId: bigint): Promise<Running> {
  const port = await freePort();
  const program = fileURLToPath(new URL(`./${limit}.ts`, import.meta.url));
  return startServer('limit', {
    command: process.execPath,
    args: [program, databaseFile(place), String(storeId), String(port)],
    port,
    ready: requestBytes('GET', '/'),
  });
}
