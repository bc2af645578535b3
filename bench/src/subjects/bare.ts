import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { requestBytes, type WholeResponse } from '../load/connection.ts';
import { folder, freePort, type Running, startServer } from '../processes.ts';

/** The program in the file of that name beside this one. */
export function programOf(name: string): string {
  return fileURLToPath(new URL(`./${name}.ts`, import.meta.url));
}

/** Starts one that serves: it is told where its data is, and its port. */
export async function startBareProgram(name: string, data: string): Promise<Running> {
  const port = await freePort();
  const args = [programOf(name), data, String(port)];
  return startServer(name, { command: process.execPath, args, port, ready: requestBytes('GET', '/') });
}

/** Headers that node:http writes by itself. */
const automatic = new Set(['date', 'connection', 'keep-alive']);

/** A bare node:http server that sends one recorded answer: the same bytes and the same headers. */
export async function startBare({ status, head, body }: WholeResponse): Promise<Running> {
  const files = folder('bare');
  const headers = head
    .split('\r\n')
    .slice(1, -1)
    .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()])
    .filter(([name]) => !automatic.has(String(name).toLowerCase()));
  writeFileSync(join(files, 'answer.json'), JSON.stringify({ status, headers: headers.flat() }));
  writeFileSync(join(files, 'body'), body);
  return startBareProgram('response-server', files);
}
