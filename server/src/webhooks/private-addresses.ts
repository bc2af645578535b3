import { BlockList, isIP } from 'node:net';

/** Loopback, private, link-local, reserved and documentation addresses. */
const notPublic = new BlockList();
const subnets = `
  0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
  192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3
  2001::/23 2001:db8::/32 2002::/16 3fff::/20
`;
for (const subnet of subnets.trim().split(/\s+/)) {
  const [net = '', prefix] = subnet.split('/');
  notPublic.addSubnet(net, Number(prefix), net.includes(':') ? 'ipv6' : 'ipv4');
}
// Azure's platform services, reachable from every network of its machines.
notPublic.addAddress('168.63.129.16');

/** Contains tunnel and documentation prefixes, too; `isPublicAddress` rejects those with `notPublic`. */
const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');

export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !notPublic.check(address, 'ipv4');
  return family === 6 && globalUnicast.check(address, 'ipv6') && !notPublic.check(address, 'ipv6');
}

/** Whether the URL's host is a literal private address. */
export function hasPrivateHost({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) !== 0 && !isPublicAddress(host);
}

/** Checks the URL itself; the addresses its host resolves to are checked at each connection. */
export function problemWithUrl(text: string, allowPrivate: boolean): string | undefined {
  const url = URL.parse(text);
  if (!url) return 'it is not a URL such as https://example.com/hook';
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:')) {
    return allowPrivate ? 'it must begin with https: or http:' : 'it must begin with https:';
  }
  if (url.username !== '' || url.password !== '') return 'it must not contain credentials';
  if (allowPrivate) return undefined;
  const isLocalName = /(^|\.)localhost\.?$/.test(url.hostname) || !/[.:]/.test(url.hostname);
  return isLocalName || hasPrivateHost(url) ? 'its host is not public' : undefined;
}
