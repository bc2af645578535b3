import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { type DeploymentName, deploymentNames } from './deployment.ts';
import { defaultQuotas, NO_QUOTA, type Quotas } from './quotas.ts';

export const DEFAULT_PORT = 8080;
/** Where the service listens beyond loopback. */
const DEFAULT_RATE_LIMIT = 1_200;

/** A mistake on the command line or in the environment. Exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError';
}

export interface Flag {
  /** What stands for the value in the help; a flag without one is a switch. */
  readonly value?: string;
  readonly help: string;
}

/** Writes 10,000 by hand: asked for it, the runtime would load the customs of every language. */
function byDefault(name: keyof Quotas): string {
  return `(default ${String(defaultQuotas[name]).replace(/\B(?=(\d{3})+$)/g, ',')})`;
}

/** Every flag of the service and of what works on its data, once: parsing, variables and help derive from it. */
export const flags = {
  port: { value: 'PORT', help: 'port of production; staging takes the next one (default 8080)' },
  host: { value: 'ADDRESS', help: 'address to listen on (default 127.0.0.1: this machine only)' },
  data: { value: 'DIR', help: 'folder of the embedded databases (default ./data)' },
  deployment: { value: 'NAME', help: 'production or staging: run, or work on, just this one' },
  database: { value: 'URL', help: 'postgres://… instead of the embedded database; needs --deployment' },
  'accept-unsafe-database': {
    help: 'use a PostgreSQL that may lose acknowledged changes (fsync and the like off)',
  },
  'rate-limit': {
    value: 'N',
    help: `requests a store may make in a minute, or none (default ${DEFAULT_RATE_LIMIT} beyond a loopback host)`,
  },
  'max-keys': { value: 'N', help: `working keys of a store, or none ${byDefault('keys')}` },
  'max-pets': { value: 'N', help: `pets of a store, or none ${byDefault('pets')}` },
  'max-orders': { value: 'N', help: `orders of a store, or none ${byDefault('orders')}` },
  'max-idempotency-keys': {
    value: 'N',
    help: `idempotency keys remembered for a store, or none ${byDefault('idempotencyKeys')}`,
  },
  'max-new-stores': {
    value: 'N',
    help: `stores that one address may open in a day, or none (default ${defaultQuotas.newStores} beyond a loopback host)`,
  },
  demo: {
    help: 'open a demonstration account and print its key (default on a loopback host without --base-url; --no-demo turns it off)',
  },
  'base-url': {
    value: 'URL',
    help: 'public address, such as https://pets.example, behind a proxy; needs --deployment',
  },
  'trust-proxy': {
    help: 'take the last address in X-Forwarded-For for the client (default: the connection)',
  },
  metrics: { help: 'let other machines read /metrics (default: only this one)' },
  'max-connections': {
    value: 'N',
    help: 'connections open at a time in each deployment (default: what the limit on open files allows)',
  },
  workers: {
    value: 'N',
    help: 'processes that share the port (default: one for each core, where one deployment is served beyond a loopback host)',
  },
  'list-memory': { value: 'MB', help: 'memory for serialised lists of each deployment (default 256)' },
  'log-level': { value: 'LEVEL', help: 'trace, debug, info, warn, error or silent (default info)' },
  'webhooks-private': {
    help: 'send webhooks also to private addresses and by http (default on a loopback host)',
  },
  inspector: {
    help: 'keep the last requests of each store for its owner (default; --no-inspector turns it off)',
  },
  'backup-every': {
    value: 'TIME',
    help: 'copy the embedded database into DIR/backups so often, such as 30m or 1h (default: never)',
  },
  'backup-keep': { value: 'N', help: 'how many of these copies to keep (default 24)' },
  name: { value: 'TEXT', help: 'a name to recognise the key by' },
  scope: { value: 'SCOPE', help: 'full, or read: a key that may change nothing (default full)' },
  expires: {
    value: 'WHEN',
    help: 'when the key ends: 2031-12-01T08:00:00Z, or 30d, 12h from now (default never)',
  },
  orders: { value: 'N', help: 'how many orders to make' },
} as const satisfies Record<string, Flag>;
export type FlagName = keyof typeof flags;
export type FlagValues = Partial<Record<FlagName, string | boolean>>;

/** A command that works on the data of deployments: with these flags, on these arguments. */
export type ServerCommand = (values: FlagValues, args: readonly string[]) => Promise<void>;

/** Where the data of one command's deployments is. */
export interface Location {
  readonly deployments: readonly DeploymentName[];
  readonly data: string;
  readonly database: string | undefined;
  readonly acceptUnsafe: boolean;
}

export interface ServeConfig extends Location {
  readonly host: string;
  readonly port: number;
  readonly demo: boolean;
  readonly rateLimit: number | undefined;
  readonly quotas: Quotas;
  /** The public address of the one deployment that runs. */
  readonly baseUrl: string | undefined;
  readonly trustProxy: boolean;
  readonly openMetrics: boolean;
  readonly maxConnections: number | undefined;
  readonly workers: number;
  readonly listMemory: number;
  readonly webhooksPrivate: boolean;
  readonly inspector: boolean;
  readonly logLevel: string;
  /** How often the embedded database is copied, and how many copies are kept. */
  readonly backup: { readonly everyMs: number; readonly keep: number } | undefined;
}

/** Of every command that works on data, whether or not the service runs. */
export const locationFlags = [
  'deployment',
  'data',
  'database',
  'accept-unsafe-database',
] as const satisfies FlagName[];
export const serveFlags = [
  'port',
  'host',
  ...locationFlags,
  'rate-limit',
  'max-keys',
  'max-pets',
  'max-orders',
  'max-idempotency-keys',
  'max-new-stores',
  'demo',
  'base-url',
  'trust-proxy',
  'metrics',
  'max-connections',
  'workers',
  'list-memory',
  'webhooks-private',
  'inspector',
  'log-level',
  'backup-every',
  'backup-keep',
] as const satisfies FlagName[];

export function locationFrom(values: FlagValues): Location {
  const { deployment, database } = values;
  if (deployment !== undefined && !deploymentNames.includes(deployment as DeploymentName)) {
    throw new UsageError(`--deployment is '${deployment}': it must be ${deploymentNames.join(' or ')}`);
  }
  if (database !== undefined && !/^postgres(ql)?:\/\//.test(String(database))) {
    throw new UsageError('--database must be a postgres:// address');
  }
  if (database !== undefined && deployment === undefined) {
    throw new UsageError('--database needs --deployment: each deployment has a database of its own');
  }
  return {
    deployments: deployment === undefined ? deploymentNames : [deployment as DeploymentName],
    data: String(values.data ?? 'data'),
    database: database === undefined ? undefined : String(database),
    acceptUnsafe: values['accept-unsafe-database'] === true,
  };
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'];

export function serveConfigFrom(values: FlagValues): ServeConfig {
  const host = String(values.host ?? '127.0.0.1');
  const logLevel = String(values['log-level'] ?? 'info');
  if (!logLevels.includes(logLevel)) {
    throw new UsageError(`--log-level is '${logLevel}': it must be one of ${logLevels.join(', ')}`);
  }
  const baseUrl = baseUrlFrom(values);
  return {
    ...locationFrom(values),
    host,
    port: integer('port', values.port, 0, 65534) ?? DEFAULT_PORT,
    demo: values.demo === undefined ? isLoopback(host) && baseUrl === undefined : values.demo === true,
    rateLimit: rateLimitFrom(values, host),
    quotas: quotasFrom(values, host),
    baseUrl,
    trustProxy: values['trust-proxy'] === true,
    openMetrics: values.metrics === true,
    workers: workersFrom(values, host),
    maxConnections: integer('max-connections', values['max-connections'], 1, 1_000_000),
    listMemory: (integer('list-memory', values['list-memory'], 0, 1_000_000) ?? 256) * 1024 * 1024,
    webhooksPrivate:
      values['webhooks-private'] === undefined ? isLoopback(host) : values['webhooks-private'] === true,
    inspector: values.inspector !== false,
    logLevel,
    backup: backupFrom(values),
  };
}

/** Two deployments already share the machine, and on loopback there is one user. */
function workersFrom(values: FlagValues, host: string): number {
  const isAlone = values.deployment !== undefined && !isLoopback(host);
  return integer('workers', values.workers, 1, 256) ?? (isAlone ? availableParallelism() : 1);
}

/** Beyond loopback anyone may come, so there is a limit unless it was turned off. */
function rateLimitFrom(values: FlagValues, host: string): number | undefined {
  if (values['rate-limit'] === undefined) return isLoopback(host) ? undefined : DEFAULT_RATE_LIMIT;
  return limit('rate-limit', values['rate-limit']);
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

/** A number, or undefined for `none`. */
function limit(name: FlagName, value: string | boolean): number | undefined {
  return value === 'none' ? undefined : integer(name, value, 1, 1_000_000_000);
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

function baseUrlFrom(values: FlagValues): string | undefined {
  const text = values['base-url'];
  if (text === undefined) return undefined;
  const url = URL.parse(String(text));
  if (!url || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`) {
    throw new UsageError(`--base-url is '${text}': it must be an address such as https://pets.example`);
  }
  if (values.deployment === undefined) {
    throw new UsageError('--base-url needs --deployment: each deployment has an address of its own');
  }
  return url.origin;
}

export function integer(
  name: FlagName,
  value: string | boolean | undefined,
  least: number,
  most: number,
): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (!/^\d+$/.test(String(value)) || number < least || number > most) {
    throw new UsageError(`--${name} is '${value}': it must be a whole number from ${least} to ${most}`);
  }
  return number;
}

/** Whether a host, as it is listened on or asked for, is this machine alone. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
