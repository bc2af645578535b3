import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { sendRequest } from '../load.ts';
import { createFolder, freePort, type RunningServer, startServer } from '../processes.ts';

/** Path of a script in this folder. */
export function scriptPath(name: string): string {
  return fileURLToPath(new URL(`./${name}.ts`, import.meta.url));
}

/** Starts a server script of this folder. */
export async function startBareProgram(name: string, ...data: string[]): Promise<RunningServer> {
  const port = await freePort();
  const args = [scriptPath(name), String(port), ...data];
  return startServer(name, { command: process.execPath, args, port, path: '/' });
}

/** Headers that node:http adds to the response itself. */
const addedHeaders = new Set(['date', 'connection', 'keep-alive']);

/** A bare node:http server that sends a recorded response, after hashing `work` bytes. */
export async function startBare(
  {
    status,
    rawHeaders,
    body,
  }: Pick<Awaited<ReturnType<typeof sendRequest>>, 'status' | 'rawHeaders' | 'body'>,
  work = 0,
): Promise<RunningServer> {
  const files = createFolder('bare');
  const headers = rawHeaders.filter(
    (_, at) => !addedHeaders.has(String(rawHeaders[at - (at % 2)]).toLowerCase()),
  );
  writeFileSync(join(files, 'response.json'), JSON.stringify({ status, headers }));
  writeFileSync(join(files, 'body'), body);
  return startBareProgram('response-server', files, String(work));
}
