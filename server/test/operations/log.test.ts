import { describe, expect, it } from 'vitest';
import { openBrowser } from '../accounts/browser.ts';
import { anyEngine } from '../support/engines.ts';
import { sendRaw } from '../support/http.ts';
import { startService } from '../support/service.ts';

/** The text, and the text with its escapes decoded up to three times. */
function readings(text: string): string {
  const undo = (from: string) =>
    from.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  const twice = undo(undo(text));
  return [text, undo(text), twice, undo(twice)].join('\n');
}

const escaped = (text: string) => [...text].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');

describe.each(anyEngine)('the log on $name', (engine) => {
  it('has one line per request, with its ID, key ID, path, status and duration', async () => {
    await using service = await startService(engine);
    const { key, keyId } = await service.openStore();
    const headers = { 'x-request-id': 'mine' };
    await service.request('DELETE /v1/store/orders/2?x=y', { key, headers });
    await service.request('GET /v1/pets');
    expect(service.log).toHaveLength(2);
    expect(JSON.parse(service.log[0] ?? '')).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      id: 'mine',
      key: keyId,
      method: 'DELETE',
      path: '/v1/store/orders/2',
      status: 204,
      ms: expect.any(Number),
    });
    expect(JSON.parse(service.log[1] ?? '')).toMatchObject({ method: 'GET', path: '/v1/pets', status: 401 });
    expect(JSON.parse(service.log[1] ?? '')).not.toHaveProperty('key');
  });

  it('has the first 500 characters of a long path', async () => {
    await using service = await startService(engine);
    await service.request(`GET /v1/${'a/'.repeat(3_000)}`);
    const { path } = JSON.parse(service.log[0] ?? '') as { path: string };
    expect(path).toBe(`/v1/${'a/'.repeat(248)}…`);
  });

  it('contains client addresses only if configured: of IPv6 the first half', async () => {
    for (const [logAddresses, trustProxy, last, address] of [
      [false, true, '2001:db8:1:2:3:4:5:6', undefined],
      [true, true, '2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
      [true, false, '2001:db8:1:2:3:4:5:6', '127.0.0.1'],
      // Some proxies add the port.
      [true, true, '203.0.113.7:51234', '203.0.113.7'],
      [true, true, '[2001:db8:1:2:3:4:5:6]:443', '2001:db8:1:2'],
      [true, true, '[2001:db8:1:2:3:4:5:6]', '2001:db8:1:2'],
    ] as const) {
      await using service = await startService(engine, { logAddresses, trustProxy });
      await service.request('GET /v1/pets', { headers: { 'x-forwarded-for': `1.2.3.4, ${last}` } });
      expect(JSON.parse(service.log[0] ?? '').address).toBe(address);
    }
  });

  it('contains a request’s trace if its header is well-formed', async () => {
    await using service = await startService(engine);
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const sent = [
      [`00-${trace}`, `00-${trace}`],
      [`01-${trace}-more`, `01-${trace}`],
      [`00-${trace}-more`, undefined],
      [`ff-${trace}`, undefined],
      [`00-${trace.toUpperCase()}`, undefined],
      [`00-${trace.replace(/^\w+/, '0'.repeat(32))}`, undefined],
      [`00-${trace.replace(/-\w{16}-/, `-${'0'.repeat(16)}-`)}`, undefined],
      ['pst_live_x', undefined],
    ] as const;
    for (const [traceparent] of sent) await service.request('GET /v1/pets', { headers: { traceparent } });
    expect(service.log.map((line) => JSON.parse(line).traceparent)).toEqual(sent.map(([, logged]) => logged));
  });

  it('contains the console’s own loads and polls only at debug level', async () => {
    await using service = await startService(engine);
    const { key } = await service.openStore();
    const browser = openBrowser(service);
    await browser.send('POST /open-with-key', { key });
    const token = (await browser.send('POST /token')).json<{ key: string }>().key;
    await service.request('GET /');
    await service.request('GET /console');
    await service.request('GET /guides/limits');
    await browser.send('GET /session');
    await service.request('GET /v1/pets', { key: token });
    await service.request('GET /v1/pets', { key });
    await browser.send('GET /keys');
    await service.request('DELETE /v1/store/orders/2', { key: token });
    const lines = service.log.map(
      (line) => JSON.parse(line) as { level: string; method: string; path: string },
    );
    const at = (level: string) =>
      lines.filter((line) => line.level === level).map(({ method, path }) => `${method} ${path}`);
    expect(at('debug')).toEqual([
      'POST /console/api/token',
      'GET /',
      'GET /console',
      'GET /guides/limits',
      'GET /console/api/session',
      'GET /v1/pets',
    ]);
    expect(at('info')).toEqual([
      'POST /console/api/open-with-key',
      'GET /v1/pets',
      'GET /console/api/keys',
      'DELETE /v1/store/orders/2',
    ]);
  });

  it('never contains a key, wherever one appears', async () => {
    await using service = await startService(engine);
    const { request, port } = service;
    const { key } = await service.openStore();
    const strays = [
      key,
      escaped(key),
      key.replace('pst_', 'pst%5F'),
      key.replaceAll('_', '%5f'),
      `${key.slice(0, 20)}%${key.charCodeAt(20).toString(16)}${key.slice(21)}`,
      escaped(key).replaceAll('%', '%25'),
      `x${key}y`,
      `${key},${key}`,
    ];
    for (const stray of strays) {
      await request(`GET /v1/pets/${stray}`, { key });
      await request(`DELETE /v1/store/orders/${stray}`);
      await request(`GET /v1/${stray}`);
      await request(`GET /${stray}/%zz`);
      await request(`GET /v1/pets/%zz${stray}`, { key });
      await request(`GET /v1/pets?key=${stray}`, { key });
      await request(`GET /v1/pets?%zz=${stray}`);
      await request('GET /v1/pets', { headers: { 'x-request-id': stray } });
      await request('GET /v1/pets', { headers: { authorization: stray } });
      await request('GET /v1/pets', {
        headers: { authorization: `Basic ${stray}`, cookie: stray, referer: stray },
      });
      await request('DELETE /v1/store/orders/2', { key, headers: { 'content-type': stray }, body: stray });
      await sendRaw(port, `${stray}\r\n\r\n`);
      await sendRaw(port, `GET /v1/pets ${stray} HTTP/1.1\r\nHost: ${stray}\r\n\r\n`);
      await sendRaw(
        port,
        `GET /v1/pets HTTP/1.1\r\nAuthorization: Bearer ${stray}\r\nConnection: close\r\n\r\n`,
      );
      await sendRaw(
        port,
        `GET http://${stray}@host/v1/pets HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      );
      await sendRaw(port, `CONNECT ${stray} HTTP/1.1\r\nHost: x\r\n\r\n`);
    }
    const secret = key.slice(9, 41);
    expect(service.log.length).toBeGreaterThanOrEqual(strays.length * 16);
    expect(service.log.filter((line) => readings(line).includes(secret))).toEqual([]);
  });
});
