import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { networkInterfaces } from 'node:os';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveConfigFrom } from '../../src/config/serve-config.ts';
import { requestedOrigin } from '../../src/http/server/addresses.ts';
import { sqlite, temporaryFolder } from '../support/engines.ts';
import { freePort } from '../support/free-port.ts';
import { type Requester, sendRaw } from '../support/http.ts';
import { type RunningProgram, requesterFor, startProgram } from '../support/program.ts';
import { startService } from '../support/service.ts';

interface Document {
  readonly info: { readonly contact: { readonly url: string } };
  readonly servers: ReadonlyArray<{ readonly url: string; readonly description: string }>;
  readonly externalDocs: { readonly url: string };
}

/** A non-loopback address of this machine; without a network there is none. */
const otherAddress = Object.values(networkInterfaces())
  .flat()
  .find((candidate) => candidate && !candidate.internal && candidate.family === 'IPv4')?.address;

const pair = (production: string, staging: string) => [
  { url: production, description: 'production' },
  { url: staging, description: 'staging' },
];

async function documentedServers(request: Requester, headers: Record<string, string> = {}) {
  const { text } = await request('GET /v1/openapi.json', { headers });
  return (JSON.parse(text) as Document).servers;
}

describe('public addresses', () => {
  it('are used for both deployments, the requested one first, in every document, whatever Host says', async () => {
    using folder = temporaryFolder();
    const port = await freePort();
    const one = ['--deployment', 'production', '--port', String(port), '--data', folder.path];
    await using program = await startProgram([
      ...one,
      ...['--base-url', 'https://pets.example/v1', '--staging-base-url', 'https://staging.pets.example'],
    ]);
    expect(program.lines[0]).toBe(`production  https://pets.example/v1  key ${program.key}`);
    const request = requesterFor(port);
    const headers = { host: 'other.example' };
    for (const version of ['v1', 'v2'])
      for (const edition of ['openapi', 'openapi-3.0', 'openapi-3.2']) {
        const { text } = await request(`GET /${version}/${edition}.json`, { headers });
        const { servers, info, externalDocs } = JSON.parse(text) as Document;
        expect(servers).toEqual(
          pair(`https://pets.example/${version}`, `https://staging.pets.example/${version}`),
        );
        expect(info.contact.url).toBe('https://pets.example/');
        expect(externalDocs.url).toBe('https://pets.example/docs');
        expect(text).not.toMatch(/127\.0\.0\.1|localhost|other\.example/);
      }
    const events = JSON.parse((await request('GET /v2/asyncapi.json', { headers })).text);
    expect(Object.entries<{ host: string; protocol: string }>(events.servers)).toMatchObject([
      ['production', { host: 'pets.example', protocol: 'https' }],
      ['staging', { host: 'staging.pets.example', protocol: 'https' }],
    ]);
    const { text } = await request('GET /llms.txt', { headers });
    expect(text).toMatch(
      /- production: https:\/\/pets\.example\/v1\n- staging: https:\/\/staging\.pets\.example\/v1\n/,
    );
    // Each console requests the other's health.
    const page = await request('GET /docs', { headers });
    expect(page.headers['content-security-policy']).toContain(
      "connect-src 'self' https://staging.pets.example;",
    );
  });

  it.each([
    ['https://pets.example', 'https://pets.example'],
    ['https://pets.example/', 'https://pets.example'],
    ['https://pets.example/v1', 'https://pets.example'],
    ['https://pets.example/v1/', 'https://pets.example'],
    ['HTTP://Pets.Example:8443/v1', 'http://pets.example:8443'],
  ])('may end in the version: %s', (given, origin) => {
    expect(serveConfigFrom({ 'base-url': given }).publicAddresses).toEqual({ production: origin });
    expect(serveConfigFrom({ 'staging-base-url': given }).publicAddresses).toEqual({ staging: origin });
  });

  it.each(['pets.example', 'ftp://pets.example', 'https://pets.example/v2', 'https://u@pets.example', ''])(
    'are rejected with an example if invalid: %j',
    (given) => {
      const both = { 'base-url': 'https://pets.example', 'staging-base-url': given };
      expect(() => serveConfigFrom(both)).toThrow(`invalid --staging-base-url '${given}'`);
    },
  );

  it('must differ between the deployments', () => {
    const flags = { 'base-url': 'https://pets.example', 'staging-base-url': 'https://pets.example/v1' };
    expect(() => serveConfigFrom(flags)).toThrow('they must differ');
  });
});

describe('without a configured public address', () => {
  const folder = temporaryFolder();
  let program: RunningProgram;
  beforeAll(async () => {
    program = await startProgram(['--port', '0', '--data', folder.path]);
  });
  afterAll(async () => {
    await program?.[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  it('a client sees the address it used, and the other deployment’s next to it', async () => {
    const { request, port } = program;
    const staging = Number(/:(\d+)\//.exec(program.lines[1] ?? '')?.[1]);
    const at = (host: string) => pair(`http://${host}:${port}/v1`, `http://${host}:${staging}/v1`);
    expect(await documentedServers(request)).toEqual(at('127.0.0.1'));
    expect(await documentedServers(request, { host: `LocalHost:${port}` })).toEqual(at('localhost'));
    expect(await documentedServers(request, { host: `pets.lan:${port}` })).toEqual(at('pets.lan'));
    expect(await documentedServers(request, { host: `[::1]:${port}` })).toEqual(at('[::1]'));
    // Behind a mapped port, the other deployment's port is unknown.
    const mapped = [{ url: 'http://pets.lan/v1', description: 'production' }];
    expect(await documentedServers(request, { host: 'pets.lan' })).toEqual(mapped);
    const { headers } = await request('GET /v1/openapi.json', { headers: { host: 'pets.lan' } });
    expect(headers.vary).toContain('Host');
  });

  it('an invalid host is not echoed', async () => {
    const { request, port } = program;
    for (const host of [
      '',
      'a b',
      "a;script-src'*'",
      'a.example/v1',
      'user@a.example',
      'a.example:99999',
      '<b>',
      '*',
      `${'a'.repeat(300)}.example`,
    ]) {
      const [here] = await documentedServers(request, { host });
      expect([host, here?.url]).toEqual([host, `http://127.0.0.1:${port}/v1`]);
    }
    const { text } = await sendRaw(port, 'GET /v1/pets HTTP/1.0\r\n\r\n');
    expect(text).toContain(`Sign up at http://127.0.0.1:${port}/console`);
  });

  it('a client with made-up hosts gets documents uncompressed, and others get theirs as before', async () => {
    const servers = (request: Parameters<typeof requestedOrigin>[0]) =>
      [{ name: 'production', origin: requestedOrigin(request) }] as const;
    await using service = await startService(sqlite, { servers });
    const { request } = service;
    const sendRequest = (host: string) =>
      request('GET /v2/openapi.yaml', { headers: { host, 'accept-encoding': 'gzip' } });
    const first = await sendRequest('first.example');
    expect(first.headers['content-encoding']).toBe('gzip');
    for (let i = 0; i < 20; i++) {
      const { status, headers, text } = await sendRequest(`made-up-${i}.example`);
      expect([status, headers['content-encoding']]).toEqual([200, i < 3 ? 'gzip' : undefined]);
      if (i >= 3) expect(text).toContain(`url: http://made-up-${i}.example/v2`);
    }
    const again = await sendRequest('first.example');
    expect([again.headers.etag, again.headers['content-encoding']]).toEqual([first.headers.etag, 'gzip']);
  });

  it.skipIf(otherAddress === undefined)('a remote client never sees a loopback address', async () => {
    using folder = temporaryFolder();
    await using program = await startProgram(['--port', '0', '--data', folder.path, '--host', '0.0.0.0']);
    const staging = Number(/:(\d+)\//.exec(program.lines[1] ?? '')?.[1]);
    const host = String(otherAddress);
    const own = pair(`http://${host}:${program.port}/v1`, `http://${host}:${staging}/v1`);
    for (const header of [
      `${host}:${program.port}`,
      'localhost',
      `127.0.0.1:${program.port}`,
      'a.localhost',
      '[::1]:8080',
      '[::ffff:127.0.0.1]',
      '0.0.0.0:8080',
    ]) {
      const responded = once(
        get({ host, port: program.port, path: '/v1/openapi.json', headers: { host: header } }),
        'response',
      );
      const [response] = (await responded) as [IncomingMessage];
      const { servers } = (await json(response)) as Document;
      expect([header, servers]).toEqual([header, own]);
    }
  });
});
