import type { IncomingHttpHeaders } from 'node:http';
import { isIPv6 } from 'node:net';
import { isLoopback } from '../../config/loopback.ts';
import type { ServerAddress } from '../../domain/deployment.ts';
import type { Request } from './request.ts';

/** This deployment comes first; the other follows if its address is known. */
export type Servers = (request: Request) => readonly [ServerAddress, ...ServerAddress[]];

/** Host names are echoed in bodies and headers, so only plain names and addresses are accepted. */
const plainHost = /^(\[[\da-f:]+\]|[\da-z_-]+(\.[\da-z_-]+)*\.?)$/;
const MAX_NAME_LENGTH = 253;

/** Origin from the Host header, or of the socket if Host is malformed or names loopback for a remote client. */
export function requestedOrigin({ headers, raw: { socket } }: Request): string {
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

/** The last entry, which the trusted proxy appended; clients can forge the entries before it. */
export function forwardedAddress({ 'x-forwarded-for': forwarded = '' }: IncomingHttpHeaders): string {
  const last = String(forwarded).split(',').at(-1)?.trim() ?? '';
  // Some proxies append the port.
  return networkOf(last.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1'));
}

/** IPv6 addresses are truncated to /64, which one customer controls. IPv4-mapped addresses become IPv4. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const plain = address.toLowerCase().replace(/%.*$/, '');
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = [], tail = []] = plain.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => '0');
  const groups = [...head, ...zeros, ...tail].slice(0, 4);
  return groups.map((group) => group.replace(/^0+(?=.)/, '')).join(':');
}
