import { availableParallelism } from 'node:os';
import { type DeploymentName, deployments, type PublicAddresses } from '../deployment.ts';
import { type LogFormat, logFormats } from '../log.ts';
import { defaultQuotas, NO_QUOTA, type Quotas } from '../quotas.ts';
import { DEFAULT_PORT, DEFAULT_RATE_LIMIT, type FlagName, type FlagValues } from './flags.ts';
import { type Location, locationFrom } from './location.ts';
import { isLoopback } from './loopback.ts';
import { integer, limit } from './numbers.ts';
import { UsageError } from './usage-error.ts';

export interface ServeConfig extends Location {
  readonly host: string;
  /** Where each deployment listens, or would; 0 for any free port. */
  readonly ports: Readonly<Record<DeploymentName, number>>;
  readonly demo: boolean;
  /** The key of staging that is known in advance. */
  readonly stagingKey: string | undefined;
  readonly rateLimit: number | undefined;
  readonly stagingRateLimit: number | undefined;
  readonly quotas: Quotas;
  readonly publicAddresses: PublicAddresses;
  readonly trustProxy: boolean;
  readonly openMetrics: boolean;
  readonly maxConnections: number | undefined;
  /** `share` for a tenth of all. */
  readonly maxConnectionsPerAddress: number | 'share' | undefined;
  readonly workers: number;
  /** How long it goes on serving, as not ready, once it is told to stop. */
  readonly drainMs: number;
  readonly listMemory: number;
  readonly webhooksPrivate: boolean;
  readonly inspector: boolean;
  readonly logLevel: string;
  /** Undefined for what fits where the log goes. */
  readonly logFormat: LogFormat | undefined;
  readonly logAddresses: boolean;
  /** How often the embedded database is copied, and how many copies are kept. */
  readonly backup: { readonly everyMs: number; readonly keep: number } | undefined;
  /** How programs are told where the service is. */
  readonly json: boolean;
  readonly envFile: string | undefined;
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'];

/** Long enough for a balancer that asks every second or two. */
const DEFAULT_DRAIN_SECONDS = 5;

export function serveConfigFrom(values: FlagValues): ServeConfig {
  const host = String(values.host ?? '127.0.0.1');
  const logLevel = String(values['log-level'] ?? 'info');
  if (!logLevels.includes(logLevel)) {
    throw new UsageError(`--log-level is '${logLevel}': it must be one of ${logLevels.join(', ')}`);
  }
  const logFormat = values['log-format'] as LogFormat | undefined;
  if (logFormat !== undefined && !logFormats.includes(logFormat)) {
    throw new UsageError(`--log-format is '${logFormat}': it must be ${logFormats.join(' or ')}`);
  }
  const publicAddresses = publicAddressesFrom(values);
  const isNamed = Object.keys(publicAddresses).length > 0;
  const location = locationFrom(values);
  return {
    ...location,
    host,
    ports: portsFrom(values, location),
    demo: values.demo === undefined ? isLoopback(host) && !isNamed : values.demo === true,
    stagingKey: stagingKeyFrom(values, location),
    ...rateLimitsFrom(values, host),
    quotas: quotasFrom(values, host),
    publicAddresses,
    trustProxy: values['trust-proxy'] === true,
    openMetrics: values.metrics === true,
    workers: workersFrom(values, host),
    drainMs:
      (integer('drain', values.drain, 0, 3_600) ?? (isLoopback(host) ? 0 : DEFAULT_DRAIN_SECONDS)) * 1_000,
    maxConnections: integer('max-connections', values['max-connections'], 1, 1_000_000),
    maxConnectionsPerAddress: connectionsPerAddressFrom(values, host, isNamed),
    listMemory: (integer('list-memory', values['list-memory'], 0, 1_000_000) ?? 256) * 1024 * 1024,
    webhooksPrivate:
      values['webhooks-private'] === undefined ? isLoopback(host) : values['webhooks-private'] === true,
    inspector: values.inspector !== false,
    logLevel,
    logFormat,
    logAddresses: values['log-addresses'] === true,
    backup: backupFrom(values),
    json: values.json === true,
    envFile: values['env-file'] === undefined ? undefined : String(values['env-file']),
  };
}

/** A port that is given is the one of the deployment that runs alone, or of production; the other's is beside it. */
function portsFrom(values: FlagValues, { deployments: [first, second] }: Location): ServeConfig['ports'] {
  const given = integer('port', values.port, 0, second === undefined ? 65535 : 65534);
  if (given === 0) return { production: 0, staging: 0 };
  const { portOffset } = deployments[first ?? 'production'];
  const production = given === undefined ? DEFAULT_PORT : given - portOffset;
  return { production, staging: production + deployments.staging.portOffset };
}

/** Two deployments already share the machine, and on loopback there is one user. */
function workersFrom(values: FlagValues, host: string): number {
  const isAlone = values.deployment !== undefined && !isLoopback(host);
  return integer('workers', values.workers, 1, 256) ?? (isAlone ? availableParallelism() : 1);
}

/** Beyond loopback anyone may come, so there is a limit unless it was turned off, or the key says that it is for tests. */
function rateLimitsFrom(values: FlagValues, host: string) {
  const given = values['rate-limit'];
  const usual = isLoopback(host) ? undefined : DEFAULT_RATE_LIMIT;
  const rateLimit = given === undefined ? usual : limit('rate-limit', given);
  const isForTests = values['staging-key'] !== undefined && given === undefined;
  return { rateLimit, stagingRateLimit: isForTests ? undefined : rateLimit };
}

function stagingKeyFrom(values: FlagValues, { deployments: running }: Location): string | undefined {
  const key = values['staging-key'];
  if (key === undefined) return undefined;
  const refused = (why: string) => new UsageError(`--staging-key ${why}`);
  if (!/^[!-~]{8,100}$/.test(String(key))) throw refused('must be 8 to 100 visible characters of ASCII');
  if (String(key).startsWith(deployments.production.keyPrefix))
    throw refused(`must not begin with ${deployments.production.keyPrefix}, as keys of production do`);
  if (!running.includes('staging')) throw refused('is for staging, which does not run here');
  return String(key);
}

/** All connections that a proxy makes come from its address. */
function connectionsPerAddressFrom(
  values: FlagValues,
  host: string,
  isNamed: boolean,
): number | 'share' | undefined {
  const value = values['max-connections-per-address'];
  if (value !== undefined) return limit('max-connections-per-address', value);
  const isDirect = !isNamed && values['trust-proxy'] !== true;
  return isDirect && !isLoopback(host) ? 'share' : undefined;
}

function quotasFrom(values: FlagValues, host: string): Quotas {
  const quota = (name: FlagName, otherwise: bigint) => {
    if (values[name] === undefined) return otherwise;
    const number = limit(name, values[name]);
    return number === undefined ? NO_QUOTA : BigInt(number);
  };
  return {
    keys: quota('max-keys', defaultQuotas.keys),
    pets: quota('max-pets', defaultQuotas.pets),
    orders: quota('max-orders', defaultQuotas.orders),
    idempotencyKeys: quota('max-idempotency-keys', defaultQuotas.idempotencyKeys),
    newStores: quota('max-new-stores', isLoopback(host) ? NO_QUOTA : defaultQuotas.newStores),
  };
}

const units = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

function backupFrom(values: FlagValues): ServeConfig['backup'] {
  const text = values['backup-every'];
  const keep = integer('backup-keep', values['backup-keep'], 1, 10_000) ?? 24;
  if (text === undefined) return undefined;
  const [, number, unit] = /^([1-9]\d{0,5})([smhd])$/.exec(String(text)) ?? [];
  if (unit === undefined)
    throw new UsageError(`--backup-every is '${text}': it must be a time such as 30m or 1h`);
  if (values.database !== undefined)
    throw new UsageError('--backup-every is for the embedded database; PostgreSQL has its own ways');
  return { everyMs: Number(number) * units[unit as keyof typeof units], keep };
}

/** Each of the two may be known also where only the other one runs. */
function publicAddressesFrom(values: FlagValues): PublicAddresses {
  const production = originFrom(values, 'base-url');
  const staging = originFrom(values, 'staging-base-url');
  if (production !== undefined && production === staging)
    throw new UsageError(
      `--base-url and --staging-base-url are both ${production}: each deployment has its own`,
    );
  return { ...(production && { production }), ...(staging && { staging }) };
}

/** With or without the version that base addresses end in. */
function originFrom(values: FlagValues, name: 'base-url' | 'staging-base-url'): string | undefined {
  const text = values[name];
  if (text === undefined) return undefined;
  const url = URL.parse(String(text));
  if (!url || !/^https?:$/.test(url.protocol) || url.href.replace(/(\/v1)?\/?$/, '') !== url.origin) {
    throw new UsageError(`--${name} is '${text}': it must be an address such as https://pets.example/v1`);
  }
  return url.origin;
}
