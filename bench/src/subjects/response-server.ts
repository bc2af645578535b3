import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

/** Upper bound of the runtime: sends one prepared response, without routing, key or log, after hashing `work` bytes. */
const [port, files = '', work] = process.argv.slice(2);
const { status, headers } = JSON.parse(readFileSync(join(files, 'response.json'), 'utf8'));
const body = readFileSync(join(files, 'body'));
const bytes = Buffer.alloc(Number(work));

const server = createServer((_, response) => {
  if (bytes.length > 0) createHash('sha256').update(bytes).digest();
  response.writeHead(status, headers);
  response.end(body.length > 0 ? body : undefined);
});
server.listen(Number(port), '127.0.0.1');
