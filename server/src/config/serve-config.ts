import { availableParallelism } from 'node:os';
import { type DeploymentName, deployments, type PublicAddresses } from '../deployment.ts';
import { defaultQuotas, NO_QUOTA, type Quotas } from '../quotas.ts';
import {
  choice,
  DEFAULT_PORT,
  DEFAULT_RATE_LIMIT,
  type FlagValues,
  integer,
  limit,
  type TextFlag,
} from './flags.ts';
import { type Location, locationFrom } from './location.ts';
import { isLoopback } from './loopback.ts';
import { UsageError } from './usage-error.ts';

/** Long enough for a balancer that asks every second or two. */
const DEFAULT_DRAIN_SECONDS = 5;

export type ServeConfig = ReturnType<typeof serveConfigFrom>;

export function serveConfigFrom(values: FlagValues) {
  const { host = '127.0.0.1' } = values;
  const isLocal = isLoopback(host);
  const location = locationFrom(values);
  const publicAddresses = publicAddressesFrom(values);
  const isNamed = Object.keys(publicAddresses).length > 0;
  const drain = integer(values, 'drain', 0, 3_600) ?? (isLocal ? 0 : DEFAULT_DRAIN_SECONDS);
  const trustProxy = values['trust-proxy'] ?? false;
  // A proxy makes all its connections from one address. A share is a tenth of all connections.
  const ofAddress = isLocal || isNamed || trustProxy ? undefined : ('share' as const);
  return {
    ...location,
    host,
    ports: portsFrom(values, location),
    demo: values.demo ?? (isLocal && !isNamed),
    stagingKey: stagingKeyFrom(values, location),
    ...rateLimitsFrom(values, isLocal),
    quotas: quotasFrom(values, isLocal),
    publicAddresses,
    trustProxy,
    openMetrics: values.metrics ?? false,
    workers: workersFrom(values, isLocal),
    drainMs: drain * 1_000,
    maxConnections: integer(values, 'max-connections', 1, 1_000_000),
    maxConnectionsPerAddress: limit(values, 'max-connections-per-address', ofAddress),
    listMemory: (integer(values, 'list-memory', 0, 1_000_000) ?? 256) * 1024 * 1024,
    webhooksPrivate: values['webhooks-private'] ?? isLocal,
    inspector: values.inspector ?? true,
    logLevel: choice(values, 'log-level') ?? 'info',
    /** Undefined where it depends on whether the log goes to a terminal. */
    logFormat: choice(values, 'log-format'),
    logAddresses: values['log-addresses'] ?? false,
    backup: backupFrom(values),
    json: values.json ?? false,
    envFile: values['env-file'],
  };
}

/** Where each deployment listens, or would; 0 for any free port. A given port is the first deployment's. */
function portsFrom(
  values: FlagValues,
  { deployments: [first, second] }: Location,
): Record<DeploymentName, number> {
  const given = integer(values, 'port', 0, second === undefined ? 65535 : 65534);
  if (given === 0) return { production: 0, staging: 0 };
  const { portOffset } = deployments[first ?? 'production'];
  const production = given === undefined ? DEFAULT_PORT : given - portOffset;
  return { production, staging: production + deployments.staging.portOffset };
}

/** Two deployments already share the machine, and on loopback there is one user. */
function workersFrom(values: FlagValues, isLocal: boolean): number {
  const isAlone = values.deployment !== undefined && !isLocal;
  return integer(values, 'workers', 1, 256) ?? (isAlone ? availableParallelism() : 1);
}

function rateLimitsFrom(values: FlagValues, isLocal: boolean) {
  const rateLimit = limit(values, 'rate-limit', isLocal ? undefined : DEFAULT_RATE_LIMIT);
  const isForTests = values['staging-key'] !== undefined && values['rate-limit'] === undefined;
  return { rateLimit, stagingRateLimit: isForTests ? undefined : rateLimit };
}

function stagingKeyFrom(values: FlagValues, { deployments: running }: Location): string | undefined {
  const key = values['staging-key'];
  if (key === undefined) return undefined;
  const refused = (why: string) => new UsageError(`--staging-key ${why}`);
  if (!/^[!-~]{8,100}$/.test(key)) throw refused('must be 8 to 100 visible characters of ASCII');
  if (key.startsWith(deployments.production.keyPrefix))
    throw refused(`must not begin with ${deployments.production.keyPrefix}, as keys of production do`);
  if (!running.includes('staging')) throw refused('is for staging, which does not run here');
  return key;
}

function quotasFrom(values: FlagValues, isLocal: boolean): Quotas {
  const quota = (name: TextFlag, otherwise: bigint) => BigInt(limit(values, name, otherwise) ?? NO_QUOTA);
  return {
    keys: quota('max-keys', defaultQuotas.keys),
    pets: quota('max-pets', defaultQuotas.pets),
    orders: quota('max-orders', defaultQuotas.orders),
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
    throw new UsageError(`--backup-every is '${text}': it must be a time such as 30m or 1h`);
  if (values.database !== undefined)
    throw new UsageError('--backup-every is for the embedded database; PostgreSQL has its own ways');
  return { everyMs: Number(number) * units[unit as keyof typeof units], keep };
}

function publicAddressesFrom(values: FlagValues): PublicAddresses {
  const production = originFrom(values, 'base-url');
  const staging = originFrom(values, 'staging-base-url');
  if (production !== undefined && production === staging)
    throw new UsageError(
      `--base-url and --staging-base-url are both ${production}: each deployment has its own`,
    );
  return { ...(production && { production }), ...(staging && { staging }) };
}

function originFrom(values: FlagValues, name: 'base-url' | 'staging-base-url'): string | undefined {
  const text = values[name];
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.href.replace(/(\/v1)?\/?$/, '') !== url.origin) {
    throw new UsageError(`--${name} is '${text}': it must be an address such as https://pets.example/v1`);
  }
  return url.origin;
}
