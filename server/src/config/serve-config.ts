import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { deployments, type PublicAddresses } from '../domain/deployment.ts';
import { defaultQuotas, NO_QUOTA, type Quotas } from '../domain/quotas.ts';
import { choice, DEFAULT_RATE_LIMIT, type FlagValues, integer, limit, type TextFlag } from './flags.ts';
import { type Location, locationFrom } from './location.ts';
import { isLoopback } from './loopback.ts';
import { UsageError } from './usage-error.ts';

/** Long enough for a load balancer that polls every second or two. */
const DEFAULT_DRAIN_SECONDS = 5;
const MAX_CONNECTIONS = 10_000;
/** Fraction of all connections that one client address may use. */
const ADDRESS_SHARE = 0.1;

export type ServeConfig = ReturnType<typeof serveConfigFrom> & {
  /** Where to listen if a proxy occupies the host and port. */
  readonly listenOn?: { readonly host: string; readonly port: number };
};

export function serveConfigFrom(values: FlagValues) {
  const { host = '127.0.0.1' } = values;
  const isLocal = isLoopback(host);
  const location = locationFrom(values);
  const publicAddresses = publicAddressesFrom(values);
  const hasPublicAddress = Object.keys(publicAddresses).length > 0;
  const workers = workersFrom(values, isLocal);
  // Not behind a proxy: all its connections come from one address.
  const isLimitedPerAddress = !isLocal && !hasPublicAddress && !values['trust-proxy'];
  return {
    ...location,
    host,
    ports: portsFrom(values, location),
    demo: values.demo ?? isLocal,
    stagingKey: stagingKeyFrom(values, location),
    ...rateLimitsFrom(values, isLocal),
    quotas: quotasFrom(values, isLocal),
    publicAddresses,
    trustProxy: values['trust-proxy'] ?? false,
    metricsForAnyone: values.metrics ?? false,
    workers,
    drainMs: 1_000 * (integer(values, 'drain', 0, 3_600) ?? (isLocal ? 0 : DEFAULT_DRAIN_SECONDS)),
    connections: connectionsFrom(values, location.deployments.length, workers, isLimitedPerAddress),
    lists: { budget: ((integer(values, 'list-memory', 0, 1_000_000) ?? 256) * 1024 * 1024) / workers },
    webhooksPrivate: values['webhooks-private'] ?? isLocal,
    inspector: values.inspector ?? true,
    logLevel: choice(values, 'log-level') ?? 'info',
    /** Undefined: depends on whether the log goes to a terminal. */
    logFormat: choice(values, 'log-format'),
    logAddresses: values['log-addresses'] ?? false,
    backup: backupFrom(values),
    json: values.json ?? false,
    envFile: values['env-file'],
  };
}

/** Port of each deployment, running or not; 0 for any free port. --port sets the first one's, and shifts the other's. */
function portsFrom(values: FlagValues, { deployments: [first = 'production', second] }: Location) {
  const given = integer(values, 'port', 0, second === undefined ? 65535 : 65534);
  if (given === 0) return { production: 0, staging: 0 };
  const { production, staging } = deployments;
  const shift = given === undefined ? 0 : given - deployments[first].port;
  return { production: production.port + shift, staging: staging.port + shift };
}

/** One process if both deployments share the machine, or on loopback, where there is one user. */
function workersFrom(values: FlagValues, isLocal: boolean): number {
  const isOnlyDeployment = values.deployment !== undefined && !isLocal;
  return integer(values, 'workers', 1, 256) ?? (isOnlyDeployment ? availableParallelism() : 1);
}

/** Connection limits of each worker process. */
function connectionsFrom(
  values: FlagValues,
  deploymentCount: number,
  workers: number,
  isLimitedPerAddress: boolean,
) {
  const given = integer(values, 'max-connections', 1, 1_000_000);
  // All deployments of a process together use up to three quarters of the open files.
  const allowed = Math.min(MAX_CONNECTIONS, Math.floor((0.75 * openFiles()) / deploymentCount));
  const max = given === undefined ? Math.max(1, allowed) : Math.ceil(given / workers);
  const defaultPerAddress = isLimitedPerAddress ? Math.ceil(ADDRESS_SHARE * max) * workers : undefined;
  const perAddress = limit(values, 'max-connections-per-address', defaultPerAddress);
  return { max, maxPerAddress: perAddress && Math.ceil(perAddress / workers) };
}

/** The open-file limit, which only Linux exposes in a file; elsewhere a common minimum. */
function openFiles(): number {
  try {
    const [, limit] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    if (limit !== undefined) return Number(limit);
  } catch {}
  return 4 * MAX_CONNECTIONS;
}

function rateLimitsFrom(values: FlagValues, isLocal: boolean) {
  const rateLimit = limit(values, 'rate-limit', isLocal ? undefined : DEFAULT_RATE_LIMIT);
  const isForTests = values['staging-key'] !== undefined && values['rate-limit'] === undefined;
  return { rateLimit, stagingRateLimit: isForTests ? undefined : rateLimit };
}

function stagingKeyFrom(values: FlagValues, { deployments: running }: Location): string | undefined {
  const key = values['staging-key'];
  if (key === undefined) return undefined;
  const rejected = (why: string) => new UsageError(`--staging-key ${why}`);
  if (!/^[!-~]{8,100}$/.test(key))
    throw rejected('must be 8 to 100 printable ASCII characters without spaces');
  if (key.startsWith(deployments.production.keyPrefix))
    throw rejected(`must not start with ${deployments.production.keyPrefix}, the prefix of production keys`);
  if (!running.includes('staging')) throw rejected('requires staging, which is not running');
  return key;
}

function quotasFrom(values: FlagValues, isLocal: boolean): Quotas {
  const quota = (name: TextFlag, fallback: bigint) => BigInt(limit(values, name, fallback) ?? NO_QUOTA);
  return {
    keys: quota('max-keys', defaultQuotas.keys),
    pets: quota('max-pets', defaultQuotas.pets),
    orders: quota('max-orders', defaultQuotas.orders),
    webhooks: BigInt(integer(values, 'max-webhooks', 1, 1_000) ?? defaultQuotas.webhooks),
    idempotencyKeys: quota('max-idempotency-keys', defaultQuotas.idempotencyKeys),
    newStores: quota('max-new-stores', isLocal ? NO_QUOTA : defaultQuotas.newStores),
  };
}

const units = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

function backupFrom(values: FlagValues): { everyMs: number; keep: number } | undefined {
  const text = values['backup-every'];
  const keep = integer(values, 'backup-keep', 1, 10_000) ?? 24;
  if (text === undefined) return undefined;
  const [, number, unit] = /^([1-9]\d{0,5})([smhd])$/.exec(text) ?? [];
  if (unit === undefined)
    throw new UsageError(`invalid --backup-every '${text}': must be an interval such as 30m or 1h`);
  if (values.database !== undefined)
    throw new UsageError(
      '--backup-every supports only the embedded database; for PostgreSQL, use its own backup tools',
    );
  return { everyMs: Number(number) * units[unit as keyof typeof units], keep };
}

function publicAddressesFrom(values: FlagValues): PublicAddresses {
  const production = publicAddressFrom(values, 'base-url');
  const staging = publicAddressFrom(values, 'staging-base-url');
  if (production !== undefined && production === staging)
    throw new UsageError(`--base-url and --staging-base-url are both ${production}; they must differ`);
  return { ...(production && { production }), ...(staging && { staging }) };
}

/** The service's own paths. As base paths they would be ambiguous, because a proxy removes the base path. */
const ownPaths = /^\/(v[12]|console|docs|guides|mcp)(\/|$)/;
const plainPath = /^(\/[\w.~-]+)*$/;

/** Without `/v1`, and without a slash at the end. */
function publicAddressFrom(values: FlagValues, name: 'base-url' | 'staging-base-url'): string | undefined {
  const text = values[name];
  if (text === undefined) return undefined;
  const { href = '', origin = '', protocol = '' } = URL.parse(text) ?? {};
  const address = href.replace(/(\/v1)?\/?$/, '');
  const path = address.startsWith(origin) ? address.slice(origin.length) : '?';
  if (!/^https?:$/.test(protocol) || !plainPath.test(path) || ownPaths.test(path))
    throw new UsageError(`invalid --${name} '${text}': must be a URL such as https://pets.example/v1`);
  return address;
}
