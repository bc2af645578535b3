import { isIPv6 } from 'node:net';
import { isLoopback } from '../../config/loopback.ts';
import type { Request } from './request.ts';

/** A name or an address and nothing else: what a client says about itself is shown again, to it and in its headers. */
const plainHost = /^(\[[\da-f:]+\]|[\da-z_-]+(\.[\da-z_-]+)*\.?)$/;
const LONGEST_NAME = 253;

/**
 * The address by which a client reached us. It says so itself, since names and ports may be mapped to ours; only that
 * it is on this machine is not believed of one that is elsewhere. Otherwise it is where its connection arrived.
 */
export function addressUsed({ headers, raw: { socket } }: Request): string {
  const url = URL.parse(`http://${headers.host}`);
  if (url && isPlain(url) && (isLoopback(socket.remoteAddress ?? '') || !leadsHere(url))) return url.origin;
  const { localAddress = '', localPort } = socket;
  const host = localAddress.replace(/^::ffff:(?=\d+\.)/, '');
  return `http://${isIPv6(host) ? `[${host}]` : host}:${localPort}`;
}

function isPlain({ href, origin, hostname }: URL): boolean {
  return href === `${origin}/` && hostname.length <= LONGEST_NAME && plainHost.test(hostname);
}

/** True for an address that leads everyone to their own machine. */
function leadsHere({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$|\.$/g, '');
  return isLoopback(host) || host === '0.0.0.0' || host === '::' || host.endsWith('.localhost');
}
