import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

/** The limit of the runtime: no routing, no key, no log, only an answer that was written beforehand. */
const [files = '', port] = process.argv.slice(2);
const { status, headers } = JSON.parse(readFileSync(join(files, 'answer.json'), 'utf8'));
const body = readFileSync(join(files, 'body'));

const server = createServer((_, response) => {
  response.writeHead(status, headers);
  response.end(body.length > 0 ? body : undefined);
});
server.listen(Number(port), '127.0.0.1');
