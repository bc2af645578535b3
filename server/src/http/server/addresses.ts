import type { IncomingHttpHeaders } from 'node:http';
import { isIPv6 } from 'node:net';
import { isLoopback } from '../../config/loopback.ts';
import type { ServerAddress } from '../../domain/deployment.ts';
import type { Request } from './request.ts';

/** This deployment comes first; the other follows if its address is known. */
export type Servers = (request: Request) => readonly [ServerAddress, ...ServerAddress[]];

/** A name or an address and nothing else: answers and their headers repeat it. */
const plainHost = /^(\[[\da-f:]+\]|[\da-z_-]+(\.[\da-z_-]+)*\.?)$/;
const MAX_NAME_LENGTH = 253;

/** The address in the Host header. If it is not plain, or `localhost` from another machine, where the request arrived. */
export function addressUsed({ headers, raw: { socket } }: Request): string {
  const url = URL.parse(`http://${headers.host ?? ''}`);
  if (url && isPlain(url) && (isLoopback(socket.remoteAddress ?? '') || !isLocalhost(url))) return url.origin;
  const { localAddress = '', localPort } = socket;
  const host = localAddress.replace(/^::ffff:(?=\d+\.)/, '');
  return `http://${isIPv6(host) ? `[${host}]` : host}:${localPort}`;
}

function isPlain({ href, origin, hostname }: URL): boolean {
  return href === `${origin}/` && hostname.length <= MAX_NAME_LENGTH && plainHost.test(hostname);
}

function isLocalhost({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$|\.$/g, '');
  return isLoopback(host) || host === '0.0.0.0' || host === '::' || host.endsWith('.localhost');
}

/** The address that the proxy saw, if it says so. It adds the last of those forwarded; clients may make up the others. */
export function forwardedAddress({ 'x-forwarded-for': forwarded = '' }: IncomingHttpHeaders): string {
  const last = String(forwarded).split(',').at(-1)?.trim() ?? '';
  // Some proxies add the port.
  return networkOf(last.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1'));
}

/** One customer has a whole /64 of IPv6 addresses, so they count as one. IPv4 inside IPv6 is IPv4. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const plain = address.toLowerCase().replace(/%.*$/, '');
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = '', tail] = plain.split('::');
  const groups = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - last.length) }, () => '0');
  return [...groups, ...zeros, ...last]
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}
