import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { anyEngine } from '../support/engines.ts';
import { openSocket, sendRaw } from '../support/http.ts';
import { insertOrders, orderIds } from '../support/orders.ts';
import { useService } from '../support/service.ts';

const types = [
  undefined,
  'application/json',
  'application/json; charset=utf-16',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'application/octet-stream',
  'not a type',
  '/',
  ';',
  '',
  'a'.repeat(2000),
];
const bodies = ['', '{}', '{"broken', '{"__proto__":{"x":1}}', '\u0000\u0001', 'x'.repeat(3 * 1024 * 1024)];

describe.each(anyEngine)('an unexpected body on $name', (engine) => {
  const service = useService(engine);

  it('on a DELETE is ignored, whatever its type', async () => {
    const { request, openStore, database } = service();
    const store = await openStore();
    let id = 100n;
    for (const type of types) {
      for (const body of bodies) {
        await insertOrders(database, store, [++id]);
        const headers = type === undefined ? {} : { 'content-type': type };
        const response = await request(`DELETE /v1/store/orders/${id}`, { key: store.key, headers, body });
        expect([type, body.length, response.status]).toEqual([type, body.length, 204]);
      }
    }
  });

  it('on a GET is ignored, whatever its type', async () => {
    const { request, openStore } = service();
    const { key } = await openStore();
    for (const type of types) {
      for (const body of bodies) {
        const headers = type === undefined ? {} : { 'content-type': type };
        const response = await request('GET /v1/pets', { key, headers, body });
        expect([type, body.length, response.status]).toEqual([type, body.length, 200]);
      }
    }
  });

  it('with a content type but no bytes on a DELETE is accepted, as many clients send it', async () => {
    const { port, openStore } = service();
    const store = await openStore();
    const variants = [
      'Content-Type: application/json\r\n',
      'Content-Type: application/json\r\nContent-Length: 0\r\n',
      'Content-Length: 0\r\n',
      'Content-Type:\r\n',
      'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n',
    ];
    const pending = [2, 4, 6, 8, 10];
    for (const [index, lines] of variants.entries()) {
      const end = lines.includes('chunked') ? '0\r\n\r\n' : '';
      const response = await sendRaw(
        port,
        `DELETE /v1/store/orders/${pending[index]} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${store.key}\r\nConnection: close\r\n${lines}\r\n${end}`,
      );
      expect([lines, response.status]).toEqual([lines, 204]);
    }
    expect(await orderIds(service(), store)).toHaveLength(35);
  });

  it('does not disturb the next request on the connection', async () => {
    const { port, openStore } = service();
    const { key } = await openStore();
    const socket = await openSocket(port);
    const head = `HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n`;
    const body = 'GET /v1/nothing HTTP/1.1\r\nHost: x\r\n\r\n';
    const statuses: string[] = [];
    for (const target of ['GET /v1/pets/1', 'DELETE /v1/store/orders/2', 'POST /v1/pets', 'GET /v1/pets/2']) {
      socket.write(`${target} ${head}Content-Length: ${body.length}\r\n\r\n${body}`);
      const [response] = (await once(socket, 'data')) as [Buffer];
      statuses.push(...(String(response).match(/HTTP\/1\.1 \d+/g) ?? []));
    }
    expect(statuses).toEqual(['HTTP/1.1 200', 'HTTP/1.1 204', 'HTTP/1.1 405', 'HTTP/1.1 200']);
    socket.destroy();
  });
});
