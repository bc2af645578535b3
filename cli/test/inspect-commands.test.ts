import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newKey } from '../../server/src/keys/manage-keys.ts';
import { setStaticKey } from '../../server/src/provisioning/static-key.ts';
import { failingOutput, runCommand, startCommand } from '../../server/test/support/command.ts';
import { sqlite, temporaryFolder } from '../../server/test/support/engines.ts';
import { freePort } from '../../server/test/support/free-port.ts';
import { isSigned, startReceiver } from '../../server/test/support/receiver.ts';
import { startService, useService } from '../../server/test/support/service.ts';

describe('inspecting a store on the command line', () => {
  const options = { webhooks: { allowPrivate: true }, intervalMs: 20 };
  const service = useService(sqlite, { deployment: 'staging', ...options });
  let home: ReturnType<typeof temporaryFolder>;
  beforeAll(() => {
    home = temporaryFolder();
  });
  afterAll(() => home[Symbol.dispose]());

  const withStore = async () => {
    const { key } = await service().openStore();
    const env = { XDG_CONFIG_HOME: home.path, PETSTORE_URL: service().origin, PETSTORE_KEY: key };
    const run = (...args: string[]) => runCommand(args, { env });
    const json = async (...args: string[]) => {
      const { code, stdout, stderr } = await run(...args, '--json');
      expect([code, stderr]).toEqual([0, '']);
      return JSON.parse(stdout);
    };
    return { key, env, run, json };
  };

  it('creates, tests, redelivers to and deletes webhooks', async () => {
    await using receiver = await startReceiver();
    const { run, json } = await withStore();
    const created = await json('webhooks', 'create', receiver.url, '--types', 'order.placed,order.cancelled');
    expect(created).toMatchObject({ url: receiver.url, types: ['order.placed', 'order.cancelled'] });
    expect(created.secret).toMatch(/^whsec_/);
    expect((await run('webhooks', 'list')).stdout).toMatch(new RegExp(`^ID .*\n${created.id} +yes +order`));
    expect(await json('webhooks', 'test', created.id)).toMatchObject({ id: 1 });
    await receiver.waitForMessages(1);
    await json('webhooks', 'redeliver', created.id, '1');
    const [, again] = await receiver.waitForMessages(2);
    expect(again && isSigned(created.secret, again)).toBe(true);
    await expect
      .poll(() => json('webhooks', 'deliveries', created.id))
      .toMatchObject([{ status: 'delivered' }]);
    expect((await run('webhooks', 'delete', created.id)).code).toBe(0);
    expect(await json('webhooks', 'list')).toEqual([]);
  });

  it('shows and follows requests', async () => {
    const { key, env, run } = await withStore();
    await service().request('GET /v1/pets', { key });
    await expect.poll(async () => (await run('requests')).stdout).toContain('GET /v1/pets');
    await using following = startCommand(['requests', '--follow', '--json'], { env });
    const followed = async () => {
      await service().request('DELETE /v1/store/orders/2', { key });
      return following.output.stdout;
    };
    await expect.poll(followed).toContain('/v1/store/orders/2');
    expect(following.output.stdout).not.toContain('/v1/pets');
  });

  it('shows pets and changes them one by one', async () => {
    const { run, json } = await withStore();
    expect(await json('pets', 'get', '1')).toMatchObject({ id: 1, name: 'Rex' });
    expect(await json('pets', 'set', '1', '--name', 'Max', '--stock', '3')).toMatchObject({
      name: 'Max',
      stock: 3,
    });
    expect((await run('pets', 'set', '1')).code).toBe(2);
  });

  it('whoami and profiles show which store a key opens, but never the key', async () => {
    const { key, env, run, json } = await withStore();
    const printed = await json('whoami');
    expect(printed).toMatchObject({ deployment: 'staging', keyEnd: key.slice(-4), profile: null });
    await run('login', '--profile', 'mine');
    expect(await json('profiles')).toMatchObject([{ profile: 'mine', deployment: 'staging' }]);
    const { stdout } = await runCommand(['whoami', '--profile', 'mine'], { env });
    expect(stdout).toMatch(/^PROFILE +mine\n/);
    expect(stdout).not.toContain(key);
  });

  it('a missing resource exits with 5, and with --json the error is JSON', async () => {
    const { run } = await withStore();
    for (const args of [
      ['webhooks', 'test', 'wh_none'],
      ['webhooks', 'deliveries', 'wh_none'],
      ['pets', 'get', '999'],
      ['logout', '--profile', 'nobody'],
      ['logout', '--profile', 'constructor'],
    ])
      expect([args, (await run(...args)).code]).toEqual([args, 5]);
    const { code, stdout, stderr } = await run('pets', 'get', '999', '--json');
    expect([code, stdout]).toEqual([5, '']);
    expect(JSON.parse(stderr)).toMatchObject({
      code: 'not_found',
      status: 404,
      exitCode: 5,
      message: expect.any(String),
      requestId: expect.any(String),
    });
    const usage = await run('pets', 'set', '1', '--json');
    expect([usage.code, JSON.parse(usage.stderr)]).toMatchObject([2, { code: 'usage', exitCode: 2 }]);
  });

  it('with --json, an error has the service’s code', async () => {
    const { env } = await withStore();
    await using gone = createServer((_, response) => {
      response.writeHead(410, { 'content-type': 'application/json' });
      response.end('{"code":"events_expired","message":"They are gone."}');
    });
    await once(gone.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(gone.address() as AddressInfo).port}`;
    const args = ['orders', 'watch', '--after', '0', '--url', url, '--json'];
    const { code, stderr } = await runCommand(args, { env });
    expect([code, JSON.parse(stderr)]).toMatchObject([
      5,
      { code: 'events_expired', status: 410, exitCode: 5 },
    ]);
  });

  it('control characters from a service never reach the terminal', async () => {
    const { env } = await withStore();
    await using rude = createServer((_, response) => {
      response.writeHead(404, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ code: 'not_found', message: '\x1b[2Jgone\x07\nsecond line' }));
    });
    await once(rude.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(rude.address() as AddressInfo).port}`;
    const message = '\uFFFD[2Jgone\uFFFD\uFFFDsecond line (404 not_found)\n';
    for (const [verb, about] of [
      ['get', ''],
      ['ship', 'order 1: '],
    ] as const)
      expect((await runCommand(['orders', verb, '1', '--url', url], { env })).stderr).toBe(
        `petstore: ${about}${message}`,
      );
  });

  it('an unreachable service is reported with the command that starts one', async () => {
    const { key } = await withStore();
    const url = `http://127.0.0.1:${await freePort()}/v1`;
    const { code, stderr } = await runCommand(['pets', 'list', '--key', key, '--url', url]);
    expect([code, stderr]).toEqual([3, expect.stringContaining('petstore serve')]);
  });

  it('doctor accepts a static key', async () => {
    const key = 'test-key';
    const { deployment } = service();
    const details = newKey('staging', 'static key', null, 'full', key).details;
    await deployment.writer.apply(setStaticKey, {
      owner: 'demonstration',
      key: details,
      at: BigInt(Date.now()),
    });
    await using known = await startService(sqlite, {
      deployment: 'staging',
      staticKey: key,
      database: service().database,
    });
    const call = ['--key', key, '--url', known.origin];
    const { code, stdout } = await runCommand(['doctor', ...call]);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^ok {4}key .* ending in -key works$/m)]);
    const fault = { operation: 'v2.listPets', fault: 'status', parameters: { code: 429 } };
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify([fault]);
    await known.request('PUT /v2/sandbox/faults', { key, headers, body });
    expect((await runCommand(['doctor', ...call])).stdout).toMatch(/^FAIL {2}key .*\(429 rate_limited;/m);
  });

  it('a server that isn’t Pet Store is not saved as a profile and never sent a key', async () => {
    const { env } = await withStore();
    await using other = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
    await once(other.listen(0, '127.0.0.1'), 'listening');
    const url = ['--url', `http://127.0.0.1:${(other.address() as AddressInfo).port}`];
    const login = await runCommand(['login', '--profile', 'other', ...url], { env });
    expect([login.code, login.stderr]).toEqual([2, expect.stringContaining('is not Pet Store')]);
    const { code, stdout } = await runCommand(['doctor', ...url], { env });
    expect([code, stdout.match(/^(?:ok|FAIL) +\w+/gm)]).toEqual([
      1,
      ['ok    versions', 'ok    profile', 'FAIL  address'],
    ]);
  });

  it('listen exits when its output is closed', async () => {
    await using receiver = await startReceiver();
    const { key, env } = await withStore();
    const stdout = failingOutput('EPIPE', 1);
    const { ended } = startCommand(['listen', '--forward-to', receiver.url, '--after', '0'], { env, stdout });
    await service().request('POST /v2/store/orders/2/ship', { key });
    expect(await ended).toMatchObject({ code: 0, stderr: '' });
  });

  it('listen reports the end of a stream and reconnects', async () => {
    const { env } = await withStore();
    await using broken = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': open\n\n', () => response.destroy());
    });
    await once(broken.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(broken.address() as AddressInfo).port}`;
    await using listening = startCommand(['listen', '--forward-to', url, '--url', url], { env });
    await listening.written('stderr', '\n');
    expect(listening.output.stderr).toMatch(/^petstore: The stream ended. Reconnecting.\n/);
  });

  it('listen rejects an unknown event type', async () => {
    const { run } = await withStore();
    const flags = ['--forward-to', 'http://127.0.0.1:1', '--types', 'order.placed,order.palced'];
    const { code, stderr } = await run('listen', ...flags);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/^petstore: invalid event type 'order.palced' in --types: .*order.placed, /),
    ]);
  });

  it('listen forwards selected types, signed with a given secret', async () => {
    await using receiver = await startReceiver();
    const { key, env } = await withStore();
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const flags = ['--types', 'order.cancelled', '--secret', secret, '--after', '0'];
    await service().request('POST /v2/store/orders/2/ship', { key });
    await service().request('DELETE /v1/store/orders/6', { key });
    await using _ = startCommand(['listen', '--forward-to', receiver.url, ...flags], { env });
    const [first] = await receiver.waitForMessages(1);
    expect(first && [isSigned(secret, first), JSON.parse(first.body).type]).toEqual([
      true,
      'order.cancelled',
    ]);
  });
});
