import { isIP } from 'node:net';

/** Whether a host, as it is listened on or asked for, is this machine alone. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
