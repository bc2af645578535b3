import { isIP } from 'node:net';

/** What listens on every address of a machine is asked at one that can be opened. */
const openable: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

export function originOf(listening: string, port: number): string {
  const host = openable[listening] ?? listening;
  return `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}
