import { Duplex } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { anyEngine } from '../support/engines.ts';
import { openSocket, readAll, sendRaw } from '../support/http.ts';
import { orderIds } from '../support/orders.ts';
import { useService } from '../support/service.ts';

describe.each(anyEngine)('requests at the edge of HTTP on $name', (engine) => {
  const service = useService(engine);

  it.each([
    ['bytes that are not HTTP', 'hello\r\n\r\n'],
    ['a TLS greeting', Buffer.from('16030100a5010000a10303', 'hex')],
    ['a version of its own', 'GET /v1/pets HTTP/9.9\r\nHost: x\r\n\r\n'],
    ['a space in the target', 'GET /v1/pets 1 HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a header without a colon', 'GET /v1/pets HTTP/1.1\r\nHost x\r\n\r\n'],
    ['a space before the colon', 'GET /v1/pets HTTP/1.1\r\nHost : x\r\n\r\n'],
    ['a folded header', 'GET /v1/pets HTTP/1.1\r\nHost: x\r\n y\r\n\r\n'],
    ['a null byte in a header', 'GET /v1/pets HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n'],
    ['a negative length', 'DELETE /v1/store/orders/2 HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n'],
    ['two lengths', 'GET /v1/pets HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    [
      'a length and chunks',
      'DELETE /v1/store/orders/2 HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['two Hosts', 'GET /v1/pets HTTP/1.1\r\nHost: x\r\nhost: y\r\nConnection: close\r\n\r\n'],
    [
      'a target with a bad port',
      'GET http://a:999999/v1/pets/1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    ],
    ['a target with a bad host', 'GET http://[/v1/pets HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'],
    [
      'two idempotency keys',
      'POST /v2/store/orders HTTP/1.1\r\nHost: x\r\nIdempotency-Key: a\r\nIdempotency-Key: b\r\nConnection: close\r\n\r\n',
    ],
    ['a fragment', 'GET /v1/pets#1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
    ['a fragment behind a query', 'GET /v1/pets?a#b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
    ['no Host', 'GET /v1/pets HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ])('400: %s', async (_, bytes) => {
    const response = await sendRaw(service().port, bytes);
    expect([response.status, response.json()]).toMatchObject([400, { code: 'bad_request', status: 400n }]);
    expect(response.headers.connection).toBe('close');
    expect(response.headers['x-content-type-options']).toBe('nosniff');
    expect(response.headers['access-control-allow-origin']).toBe('*');
  });

  it('401: two Authorization headers, even if both have the same valid key', async () => {
    const { key } = await service().openStore();
    const header = `Authorization: Bearer ${key}\r\n`;
    const head = `GET /v1/pets HTTP/1.1\r\nHost: x\r\nConnection: close\r\n`;
    expect((await sendRaw(service().port, `${head}${header}\r\n`)).status).toBe(200);
    for (const other of [
      header,
      header.toUpperCase().replace('BEARER', 'Bearer'),
      'authorization: Basic YTpi\r\n',
    ]) {
      const response = await sendRaw(service().port, `${head}${header}${other}\r\n`);
      expect([response.status, response.json()]).toMatchObject([
        401,
        { code: 'invalid_api_key', status: 401n },
      ]);
      expect(response.headers['www-authenticate']).toBe('Bearer realm="petstore", error="invalid_token"');
    }
  });

  it('400: a fragment after an ID, and the order stays unchanged', async () => {
    const { port, openStore } = service();
    const store = await openStore();
    const head = `Host: x\r\nAuthorization: Bearer ${store.key}\r\nConnection: close\r\n\r\n`;
    const response = await sendRaw(port, `DELETE /v1/store/orders/2#4 HTTP/1.1\r\n${head}`);
    expect([response.status, response.json()]).toMatchObject([400, { code: 'bad_request' }]);
    expect(await orderIds(service(), store)).toContain(2n);
  });

  it('400: malformed chunks end the connection without a change', async () => {
    const { port, openStore } = service();
    const store = await openStore();
    const socket = await openSocket(port);
    socket.write(
      `DELETE /v1/store/orders/41 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${store.key}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n`,
    );
    await readAll(socket);
    expect(await orderIds(service(), store)).toHaveLength(40);
  });

  it('431: headers beyond the limit', async () => {
    const { port, openStore } = service();
    const { key } = await openStore();
    const head = `GET /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n`;
    const response = await sendRaw(port, `${head}X-Large: ${'x'.repeat(64 * 1024)}\r\n\r\n`);
    expect([response.status, response.json()]).toMatchObject([
      431,
      { code: 'headers_too_large', status: 431n },
    ]);
    const many = await sendRaw(port, `${head}${'X-Many: xxxxxxxxxxxxxxxxxxxxx\r\n'.repeat(3000)}\r\n`);
    expect(many.status).toBe(431);
    const socket = await openSocket(port);
    for (const step of [head, `Cookie: ${'x'.repeat(20_000)}`, 'x'.repeat(20_000)]) {
      socket.write(step);
      // Each is to arrive alone.
      for (let tick = 0; tick < 20; tick++) await new Promise(setImmediate);
    }
    expect(String(await readAll(socket))).toContain('headers_too_large');
    expect((await sendRaw(port, `${head}X-Large: ${'x'.repeat(16 * 1024)}\r\n\r\n`)).status).toBe(200);
  });

  it('414: a target just beyond the limit and far beyond it', async () => {
    const { port, request, openStore } = service();
    const { key } = await openStore();
    for (const length of [8_193, 20_000, 100_000]) {
      for (const path of [`/v1/pets?${'x'.repeat(length)}`, `/v1/store/orders/${'2'.repeat(length)}`]) {
        const response = await sendRaw(
          port,
          `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n\r\n`,
        );
        expect([length, response.status, response.json()]).toMatchObject([
          length,
          414,
          { code: 'uri_too_long', status: 414n },
        ]);
        expect(response.headers['access-control-allow-origin']).toBe('*');
      }
    }
    expect((await request(`GET /v1/pets?${'x'.repeat(8_000)}`, { key })).status).toBe(200);
    expect((await request(`DELETE /v1/store/orders/${'2'.repeat(8_000)}`, { key })).status).toBe(404);
  });

  it.each([
    ['of its own', 'FETCH /v1/pets HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['in lower case', 'get /v1/pets HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['that begins like one that is known', 'GETS /v1/pets HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['of HTTP/1.0', 'Fetch /v1/pets HTTP/1.0\r\n\r\n'],
  ])('501: a method %s', async (_, bytes) => {
    const response = await sendRaw(service().port, bytes);
    expect([response.status, response.json()]).toMatchObject([
      501,
      { code: 'not_implemented', status: 501n },
    ]);
    expect(response.headers.connection).toBe('close');
  });

  it('405: CONNECT', async () => {
    const response = await sendRaw(
      service().port,
      'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n',
    );
    expect([response.status, response.json()]).toMatchObject([
      405,
      { code: 'method_not_allowed', status: 405n },
    ]);
    expect(response.headers.allow).toBeDefined();
  });

  it.each([
    ['an expectation we do not know', 'GET /v1/pets HTTP/1.1\r\nHost: x\r\nExpect: 200-maybe\r\n'],
    [
      'an upgrade we do not know',
      'GET /v1/pets HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n',
    ],
    [
      'an upgrade to HTTP/2',
      'GET /v1/pets HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\n',
    ],
    ['HTTP/1.0 without a Host', 'GET /v1/pets HTTP/1.0\r\n'],
    ['an absolute target', 'GET http://petstore.example/v1/pets HTTP/1.1\r\nHost: petstore.example\r\n'],
    ['escapes in the path', 'GET /%76%31/%70ets HTTP/1.1\r\nHost: x\r\n'],
    ['a blank line before', '\r\nGET /v1/pets HTTP/1.1\r\nHost: x\r\n'],
    ['a Host of any name', 'GET /v1/pets HTTP/1.1\r\nHost: evil.example:99999\r\n'],
  ])('200: %s', async (_, head) => {
    const { port, openStore } = service();
    const { key } = await openStore();
    const closing = head.includes('Connection:') ? '' : 'Connection: close\r\n';
    expect((await sendRaw(port, `${head}Authorization: Bearer ${key}\r\n${closing}\r\n`)).status).toBe(200);
  });

  it('204: a cancel that waits for 100 Continue', async () => {
    const { port, openStore } = service();
    const store = await openStore();
    const socket = await openSocket(port);
    const reading = readAll(socket);
    socket.write(
      `DELETE /v1/store/orders/2 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${store.key}\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n`,
    );
    socket.write('{}');
    expect((await reading).toString()).toMatch(
      /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 204 No Content\r\n/,
    );
    expect(await orderIds(service(), store)).not.toContain(2n);
  });

  it('a path means the same despite a broken escape in its query', async () => {
    const { request, openStore } = service();
    const { key } = await openStore();
    expect((await request('GET /v1/pets/%31', { key })).status).toBe(200);
    expect((await request('GET /v1/pets/%31?q=%20', { key })).status).toBe(200);
    expect((await request('GET /v1/pets/%31?q=%zz', { key })).status).toBe(200);
  });

  it('401 or 404, never 500: paths with broken escapes', async () => {
    const { request, openStore } = service();
    const { key } = await openStore();
    const broken = ['%', '%2', '%zz', '%ff', '%c3%28', '%u0032', '2%', '%e0%a4%a', '%00%', '%%', '%25%'];
    for (const segment of broken) {
      for (const path of [`/v1/pets/${segment}`, `/v1/store/orders/${segment}`, `/v1/${segment}`]) {
        expect([path, (await request(`DELETE ${path}`)).status]).toEqual([path, 401]);
        expect([path, (await request(`GET ${path}`, { key })).status]).toEqual([
          path,
          path.includes('orders') ? 405 : 404,
        ]);
      }
      expect((await request(`GET /${segment}`)).status).toBe(404);
    }
  });

  it('CONNECT from a client that left early is harmless', async () => {
    const { app, request } = service();
    const reset = Object.assign(new Error('write ECONNRESET'), { code: 'ECONNRESET' });
    const socket = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done(reset) });
    app.server.emit('connect', {}, socket, Buffer.alloc(0));
    // An error without a listener ends the process.
    expect(socket.listenerCount('error')).toBeGreaterThan(0);
    await new Promise((resolve) => setImmediate(resolve));
    expect(socket.destroyed).toBe(true);
    expect((await request('GET /healthz')).status).toBe(200);
  });

  it('100 Continue never appears inside the response to an earlier request', async () => {
    const { port, openStore } = service();
    const { key } = await openStore();
    const get = (more: string) =>
      `GET /v1/pets/1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n${more}\r\n`;
    const socket = await openSocket(port);
    socket.write(get('') + get('Expect: 100-continue\r\n'));
    const received = (await readAll(socket)).toString();
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
    const alone = await openSocket(port);
    alone.write(get('Expect: 100-continue\r\nConnection: close\r\n'));
    expect((await readAll(alone)).toString()).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
  });
});
