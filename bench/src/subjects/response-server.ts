import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

/** The fastest server possible on node:http: sends one prepared response after hashing `work` bytes, without routing, key or log. */
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
