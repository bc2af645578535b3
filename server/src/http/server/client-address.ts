import { isIPv6 } from 'node:net';
import type { Request } from './request.ts';

/** The client's address, or its network. The proxy adds the last of those forwarded; clients may make up the others. */
export function clientAddress({ headers, raw }: Request, trustProxy: boolean): string {
  const forwarded = trustProxy ? String(headers['x-forwarded-for'] ?? '') : '';
  const last = forwarded.split(',').at(-1)?.trim();
  return networkOf(last || (raw.socket.remoteAddress ?? ''));
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
