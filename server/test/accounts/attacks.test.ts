import { describe, expect, it } from 'vitest';
import { anyEngine } from '../support/engines.ts';
import { startService, useService } from '../support/service.ts';
import { codeOf, fastAccounts, listKeys, newAddress, openBrowser, PASSWORD, signUpAndIn } from './browser.ts';

describe.each(anyEngine)('the console on $name', (engine) => {
  const service = useService(engine, { accounts: fastAccounts });
  const json = { 'content-type': 'application/json' };

  const cookieOf = async () => {
    const member = await signUpAndIn(service());
    const cookie = Array.from(member.browser.cookies, ([name, value]) => `${name}=${value}`).join('; ');
    return { member, cookie };
  };

  let cookie: ReturnType<typeof cookieOf> | undefined;
  const shared = () => {
    cookie ??= cookieOf();
    return cookie;
  };

  it.each([
    ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['another port of this host', { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' }],
    ['an origin that only looks like ours', { origin: 'http://127.0.0.1.evil.example' }],
    ['a page without an origin', { origin: 'null' }],
    ['a browser that sends no such header', {}],
    ['a browser that sends only sec-fetch-site', { 'sec-fetch-site': 'cross-site' }],
    ['a form, opened by hand', { 'sec-fetch-site': 'none' }],
  ])('rejects changes from %s', async (_, headers) => {
    const { member, cookie } = await shared();
    for (const call of ['POST /keys', 'POST /sign-out', 'DELETE /account', 'POST /sign-in', 'POST /token']) {
      const [method, path] = call.split(' ');
      const response = await service().request(`${method} /console/api${path}`, {
        headers: { cookie, ...json, ...headers },
        body: JSON.stringify({ name: 'evil', email: member.email, password: PASSWORD }),
      });
      expect(codeOf(response)).toBe('403 forbidden_origin');
      expect(response.headers['access-control-allow-origin']).toBeUndefined();
      expect(response.headers['set-cookie']).toBeUndefined();
    }
    expect((await member.browser.send('GET /session')).status).toBe(200);
    expect((await listKeys(member)).map(({ name }) => name)).not.toContain('evil');
  });

  it('rejects reads from another site, and sends its preflight no CORS header', async () => {
    const { cookie } = await cookieOf();
    const headers = { cookie, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    expect(codeOf(await service().request('GET /console/api/session', { headers }))).toBe(
      '403 forbidden_origin',
    );
    const preflight = await service().request('OPTIONS /console/api/keys', {
      headers: { ...headers, 'access-control-request-method': 'POST' },
    });
    expect(preflight.status).toBe(403);
    expect(Object.keys(preflight.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
  ])('rejects a body of type %s', async (type) => {
    const body = JSON.stringify({ email: newAddress(), password: PASSWORD });
    const response = await openBrowser(service()).send('POST /sign-up', body, { 'content-type': type });
    expect(codeOf(response)).toBe('415 unsupported_media_type');
    // Neither where no body is expected.
    const bare = await openBrowser(service()).send('POST /sign-out', undefined, { 'content-type': type });
    expect(codeOf(bare)).toBe('415 unsupported_media_type');
  });

  it('rejects unknown methods and paths', async () => {
    const { browser } = await signUpAndIn(service());
    const response = await browser.send('PUT /keys', {});
    expect(codeOf(response)).toBe('405 method_not_allowed');
    expect(response.headers.allow).toBe('GET, POST');
    expect((await browser.send('HEAD /session')).status).toBe(405);
    expect(codeOf(await browser.send('GET /nothing'))).toBe('404 not_found');
    expect(codeOf(await browser.send('POST /sign-up/email', {}))).toBe('404 not_found');
  });

  it('accepts only its public origin if one is set, and then sends cookies only over https', async () => {
    const baseUrl = 'https://pets.example';
    await using secure = await startService(engine, { baseUrl, accounts: fastAccounts });
    const send = (path: string, origin: string) =>
      secure.request(`POST /console/api/${path}`, {
        headers: { origin, ...json },
        body: JSON.stringify({ email: 'jo@example.com', password: PASSWORD }),
      });
    expect(codeOf(await send('sign-up', secure.origin))).toBe('403 forbidden_origin');
    expect(codeOf(await send('sign-up', 'http://pets.example'))).toBe('403 forbidden_origin');
    expect((await send('sign-up', baseUrl)).status).toBe(200);
    const [cookie = ''] = (await send('sign-in', baseUrl)).headers['set-cookie'] ?? [];
    expect(cookie).toMatch(
      /^__Host-petstore_production_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=604800$/,
    );
  });

  it('sets only the required cookie attributes', async () => {
    const browser = openBrowser(service());
    const { email } = await signUpAndIn(service());
    const [cookie = ''] =
      (await browser.send('POST /sign-in', { email, password: PASSWORD })).headers['set-cookie'] ?? [];
    expect(cookie).toMatch(
      /^petstore_production_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=604800$/,
    );
  });

  it('forbids caching and framing its responses', async () => {
    const { browser } = await signUpAndIn(service());
    const { headers } = await browser.send('GET /session');
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  it('never writes a password, cookie or key where it does not belong', async () => {
    const member = await signUpAndIn(service());
    const { firstKey } = (await member.browser.send('POST /session')).json<{ firstKey: { key: string } }>();
    await openBrowser(service()).send('POST /sign-in', { email: member.email, password: 'wrong-secret-77x' });
    const tables = ['accounts', 'credentials', 'sessions', 'keys', 'attempts', 'secrets'];
    const written = [...service().log];
    for (const table of tables) {
      const rows = await service().database.rows(`SELECT * FROM ${table}`);
      written.push(...rows.flatMap((row) => Object.values(row).map(String)));
    }
    const tokens = [...member.browser.cookies.values()];
    expect(tokens).toEqual([expect.stringMatching(/^[\w-]{43}$/), expect.stringMatching(/^[\w.-]{43,}$/)]);
    for (const secret of [PASSWORD, 'wrong-secret-77x', ...tokens, firstKey.key]) {
      expect(written.join('\n')).not.toContain(secret);
    }
  });
});
