import { isIPv6 } from 'node:net';
import { isLoopback } from '../../config/loopback.ts';
import type { ServerAddress } from '../../deployment.ts';
import type { Request } from './request.ts';

/** This deployment comes first; the other follows if its address is known. */
export type Servers = (request: Request) => readonly [ServerAddress, ...ServerAddress[]];

/** A name or an address and nothing else: answers and their headers repeat it. */
const plainHost = /^(\[[\da-f:]+\]|[\da-z_-]+(\.[\da-z_-]+)*\.?)$/;
const LONGEST_NAME = 253;

/** The address in the Host header. If it is not plain, or `localhost` from another machine, where the request arrived. */
export function addressUsed({ headers, raw: { socket } }: Request): string {
  const url = URL.parse(`http://${headers.host}`);
  if (url && isPlain(url) && (isLoopback(socket.remoteAddress ?? '') || !isLocalhost(url))) return url.origin;
  const { localAddress = '', localPort } = socket;
  const host = localAddress.replace(/^::ffff:(?=\d+\.)/, '');
  return `http://${isIPv6(host) ? `[${host}]` : host}:${localPort}`;
}

function isPlain({ href, origin, hostname }: URL): boolean {
  return href === `${origin}/` && hostname.length <= LONGEST_NAME && plainHost.test(hostname);
}

function isLocalhost({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$|\.$/g, '');
  return isLoopback(host) || host === '0.0.0.0' || host === '::' || host.endsWith('.localhost');
}
