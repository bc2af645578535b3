import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { requestBytes, type WholeAnswer } from '../load/connection.ts';
import { folder, freePort, type Running, startServer } from '../processes.ts';

/** Headers that node:http writes by itself. */
const automatic = new Set(['date', 'connection', 'keep-alive']);

/**
 * A bare node:http server that sends one recorded answer, the same bytes and the same headers; if asked to, it looks for
 * the key before, once a turn.
 */
export async function startBare(
  answer: Pick<WholeAnswer, 'status' | 'head' | 'body'>,
  look?: { readonly url: string; readonly key: string },
): Promise<Running> {
  const port = await freePort();
  const files = folder('bare');
  const headers = headersOf(answer);
  writeFileSync(
    join(files, 'answer.json'),
    JSON.stringify({ status: answer.status, headers: headers.flat() }),
  );
  writeFileSync(join(files, 'body'), answer.body);
  return startServer('bare', {
    command: process.execPath,
    args: [
      fileURLToPath(new URL('./bare-server.ts', import.meta.url)),
      files,
      String(port),
      ...(look ? [look.url, look.key] : []),
    ],
    port,
    ready: requestBytes('GET', '/'),
  });
}

/** Names and values of what an answer says besides what node:http adds by itself. */
export function headersOf({ head }: Pick<WholeAnswer, 'head'>): string[][] {
  return head
    .split('\r\n')
    .slice(1, -1)
    .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()])
    .filter(([name]) => !automatic.has(String(name).toLowerCase()));
}
