import { hash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    /** Length of the accept queue, by default that of the service. */
    backlog: { type: 'string', default: '4096' },
    /** Bytes to hash for each list, so that it is slow. */
    work: { type: 'string', default: '0' },
  },
});

/** Plain node:http, which reads every body and responds with as many bytes as a long list. */
const list = Buffer.alloc(5 * 1024 * 1024, ' ');
const work = Buffer.alloc(Number(values.work));
const server = createServer((request, response) => {
  const isList = request.url === '/v1/store/orders';
  if (isList) hash('sha256', work);
  request.resume().once('end', () => response.end(isList ? list : 'short'));
});
server.listen({ port: 0, host: '127.0.0.1', backlog: Number(values.backlog) }, () => {
  // The format of `petstore serve`, which `startProgram` parses.
  console.log(`production  http://127.0.0.1:${(server.address() as AddressInfo).port}/v1  key none\ndocs`);
});
