import { BlockList, isIP } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Whether a host, as it is listened on or asked for, is this machine alone. IPv4 inside IPv6 is IPv4. */
export function isLoopback(host: string): boolean {
  const version = isIP(host);
  return version === 0 ? host === 'localhost' : loopback.check(host, version === 6 ? 'ipv6' : 'ipv4');
}
