import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Plain node:http, which reads every body and responds with as many bytes as a long list. */
const list = Buffer.alloc(5 * 1024 * 1024, ' ');
const server = createServer((request, response) => {
  request.resume().once('end', () => response.end(request.url === '/v1/store/orders' ? list : 'short'));
});
server.listen(0, '127.0.0.1', () => {
  console.log(`production  http://127.0.0.1:${(server.address() as AddressInfo).port}/v1  key none\ndocs`);
});
