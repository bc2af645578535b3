import { promises as dns } from 'node:dns';
import { readFile } from 'node:fs/promises';

/** Finds all addresses of a host name. */
export type ResolveName = (name: string) => Promise<readonly string[]>;

const QUERY_TIMEOUT_MS = 2_000;
/** c-ares shortens its timeout for servers that were fast, so one slow response may cost several tries. */
const QUERY_TRIES = 4;
const HOSTS_FILE =
  process.platform === 'win32' ? `${process.env.SystemRoot}\\System32\\drivers\\etc\\hosts` : '/etc/hosts';

/**
 * Resolves names with c-ares, which is asynchronous: a slow name server would block a thread of libuv's pool in
 * `dns.lookup`. Concurrent lookups of a name share one query; nothing is cached.
 */
export function createNameResolver({
  servers,
  hostsFile = HOSTS_FILE,
  timeoutMs = QUERY_TIMEOUT_MS,
  tries = QUERY_TRIES,
}: ResolverOptions = {}): ResolveName {
  const resolver = new dns.Resolver({ timeout: timeoutMs, tries });
  if (servers) resolver.setServers(servers);
  const inFlight = new Map<string, Promise<readonly string[]>>();

  async function resolve(name: string): Promise<readonly string[]> {
    // RFC 6761: these names always resolve to this machine.
    if (/(^|\.)localhost$/.test(name)) return ['127.0.0.1', '::1'];
    // RFC 6761: a name that cannot exist is not looked up.
    if (/(^|\.)invalid$/.test(name)) throw new Error(`${name} does not exist`);
    const listed = addressesIn(await readFile(hostsFile, 'utf8').catch(() => ''), name);
    if (listed.length > 0) return listed;
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const found = [v4, v6].flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    if (found.length === 0 && v4.status === 'rejected') throw v4.reason;
    return found;
  }

  return (host) => {
    const name = host.toLowerCase().replace(/\.$/, '');
    const shared = inFlight.get(name) ?? resolve(name).finally(() => inFlight.delete(name));
    inFlight.set(name, shared);
    return shared;
  };
}

interface ResolverOptions {
  readonly servers?: readonly string[];
  readonly hostsFile?: string;
  readonly timeoutMs?: number;
  readonly tries?: number;
}

function addressesIn(hosts: string, name: string): string[] {
  return hosts.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    return names.some((alias) => alias.toLowerCase() === name) ? [address] : [];
  });
}
