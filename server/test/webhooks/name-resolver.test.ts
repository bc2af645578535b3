import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createNameResolver } from '../../src/webhooks/name-resolver.ts';
import { temporaryFolder } from '../support/engines.ts';

/** A name server on loopback with one IPv4 address for every name. Until `speak`, it ignores names that begin with `silent`. */
async function startNameServer() {
  const queries: string[] = [];
  const ignored: Array<() => void> = [];
  let isSilent = true;
  const server = createSocket('udp4');
  server.on('message', (query, { port }) => {
    const labels: string[] = [];
    let end = 12;
    for (let length = query[end] ?? 0; length > 0; length = query[end] ?? 0) {
      labels.push(query.toString('latin1', end + 1, end + 1 + length));
      end += 1 + length;
    }
    const name = labels.join('.');
    const isIPv4 = query.readUInt16BE(end + 1) === 1;
    queries.push(`${name} ${isIPv4 ? 'A' : 'AAAA'}`);
    const response = Buffer.from(query.subarray(0, end + 5));
    response.writeUInt16BE(0x8180, 2);
    response.writeUInt16BE(isIPv4 ? 1 : 0, 6);
    response.writeUInt32BE(0, 8);
    const record = Buffer.from([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, 127, 0, 0, 9]);
    const respond = () => server.send(isIPv4 ? Buffer.concat([response, record]) : response, port);
    if (isSilent && name.startsWith('silent')) ignored.push(respond);
    else respond();
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    queries,
    address: `127.0.0.1:${server.address().port}`,
    speak() {
      isSilent = false;
      for (const respond of ignored) respond();
    },
    [Symbol.dispose]: () => server.close(),
  };
}

describe('the resolver of host names', () => {
  it('shares concurrent lookups of a name, and looks it up again later', async () => {
    using server = await startNameServer();
    const resolve = createNameResolver({ servers: [server.address], hostsFile: '/dev/null' });
    const all = await Promise.all(Array.from({ length: 50 }, () => resolve('Hook.example.')));
    expect(all).toEqual(Array(50).fill(['127.0.0.9']));
    expect(server.queries.sort()).toEqual(['hook.example A', 'hook.example AAAA']);
    await resolve('hook.example');
    expect(server.queries).toHaveLength(4);
  });

  it('resolves other names while many wait for a silent DNS server', async () => {
    using server = await startNameServer();
    const resolve = createNameResolver({ servers: [server.address], hostsFile: '/dev/null' });
    const silent = Promise.all(Array.from({ length: 40 }, (_, i) => resolve(`silent${i}.example`)));
    expect(await resolve('quick.example')).toEqual(['127.0.0.9']);
    server.speak();
    expect(await silent).toEqual(Array(40).fill(['127.0.0.9']));
  });

  it('rejects a name whose DNS server stays silent', async () => {
    using server = await startNameServer();
    const resolve = createNameResolver({
      servers: [server.address],
      hostsFile: '/dev/null',
      timeoutMs: 10,
      tries: 1,
    });
    await expect(resolve('silent.example')).rejects.toThrow('ETIMEOUT');
  });

  it('resolves localhost, invalid and the hosts file locally', async () => {
    using server = await startNameServer();
    using folder = temporaryFolder();
    const hostsFile = join(folder.path, 'hosts');
    writeFileSync(
      hostsFile,
      '# local\n10.1.2.3  hook.internal Other.internal # no\nfd00::7\thook.internal\n',
    );
    const resolve = createNameResolver({ servers: [server.address], hostsFile });
    expect(await resolve('localhost')).toEqual(['127.0.0.1', '::1']);
    expect(await resolve('shop.localhost')).toEqual(['127.0.0.1', '::1']);
    expect(await resolve('hook.internal')).toEqual(['10.1.2.3', 'fd00::7']);
    expect(await resolve('OTHER.internal')).toEqual(['10.1.2.3']);
    await expect(resolve('receiver.invalid')).rejects.toThrow('receiver.invalid does not exist');
    expect(server.queries).toEqual([]);
    expect(await resolve('no')).toEqual(['127.0.0.9']);
  });
});
