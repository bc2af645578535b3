import type { Readable, Writable } from 'node:stream';
import { deploymentNames } from '../domain/deployment.ts';
import { defaultQuotas, type Quotas } from '../domain/quotas.ts';
import { keyScopes } from '../domain/vocabulary.ts';
import { UsageError } from './usage-error.ts';

export const DEFAULT_RATE_LIMIT = 1_200;

export interface Flag {
  /** Placeholder of the value in the help; without one, the flag is boolean. */
  readonly value?: string | undefined;
  readonly choices?: readonly string[] | undefined;
  readonly help: string;
  readonly secret?: boolean;
}

/** Separates thousands without `toLocaleString`, which would use 8 MB in every command. */
function defaultOf(name: keyof Quotas): string {
  return `(default ${String(defaultQuotas[name]).replace(/\B(?=(\d{3})+$)/g, ',')})`;
}

/** Flag name and value placeholder, with the help text; without a placeholder, the flag is boolean. */
const dataFlags = {
  'deployment NAME': 'Deployment to use: production or staging',
  'data DIR': 'Directory of the embedded databases (default ./data)',
  'database URL': 'postgres://… URL to use instead of the embedded database; requires --deployment',
  'accept-unsafe-database':
    'Accept PostgreSQL settings that can lose acknowledged changes, such as fsync=off',
} as const;

const serviceFlags = {
  'port PORT':
    'Port of production; staging uses the next one. With --deployment, port of that deployment (default 8080, 8081)',
  'host ADDRESS': 'Address to listen on (default 127.0.0.1: this machine only)',
  ...dataFlags,
  'rate-limit N': `Maximum requests per minute and store; none for no limit (default ${DEFAULT_RATE_LIMIT}; none on loopback)`,
  'max-keys N': `Maximum active keys per store; none for no limit ${defaultOf('keys')}`,
  'max-pets N': `Maximum pets per store; none for no limit ${defaultOf('pets')}`,
  'max-orders N': `Maximum orders per store; none for no limit ${defaultOf('orders')}`,
  'max-webhooks N': `Maximum webhooks per store, up to 1,000 ${defaultOf('webhooks')}`,
  'max-idempotency-keys N': `Maximum idempotency keys stored per store; none for no limit ${defaultOf('idempotencyKeys')}`,
  'max-new-stores N': `Maximum new stores per client address and day; none for no limit (default ${defaultQuotas.newStores}; none on loopback)`,
  demo: 'Create a demo account and print its key (default on loopback; --no-demo to disable)',
  'staging-key KEY':
    'Static key of the staging demo store, for tests; disables the rate limit of staging unless --rate-limit is set',
  'base-url URL':
    'Public URL of production, such as https://pets.example/v1 or https://pets.example/api/v1 (default: the address used by each client)',
  'staging-base-url URL': 'Public URL of staging',
  'trust-proxy':
    'Take the client address from the last entry of X-Forwarded-For (default: from the connection)',
  metrics: 'Allow other machines to read /metrics (default: only this machine, not through a proxy)',
  'max-connections N': 'Maximum open connections per deployment (default: derived from the open-file limit)',
  'max-connections-per-address N':
    'Maximum open connections per client address; none for no limit (default: a tenth of --max-connections; none on loopback or behind a proxy)',
  'workers N':
    'Worker processes (default: 1; one per core for a single deployment on a non-loopback address)',
  'drain SECONDS': 'Time to keep serving after SIGTERM while reporting not ready (default 5; 0 on loopback)',
  'list-memory MB': 'Memory for cached responses per deployment (default 256)',
  'webhooks-private': 'Allow webhooks to private addresses and over http (default on loopback)',
  inspector: 'Record the latest requests of each store for its owner (default; --no-inspector to disable)',
  'log-level LEVEL': 'Log level: trace, debug, info, warn, error or silent (default info)',
  'log-format FORMAT': 'Log format: json or pretty (default pretty in a terminal, json elsewhere)',
  'log-addresses': 'Log client addresses, IPv6 truncated to /64 (default: not logged)',
  'backup-every TIME':
    'Back up the embedded database to DIR/backups at this interval, such as 30m or 1h (default: never)',
  'backup-keep N': 'Number of backups to retain (default 24)',
  json: 'Print URLs and keys as one line of JSON on standard output, and the log on standard error',
  'env-file FILE': 'Write URLs and keys to this file as variables (PETSTORE_URL=…) once the service is ready',
} as const;

const allFlags = {
  ...serviceFlags,
  'key KEY': 'Create the key for the store of this key instead of a new store',
  'store ID': 'Create the key for the store with this ID (see keys list) instead of a new store',
  'name TEXT': 'Name of the key',
  'scope SCOPE': 'Permissions of the key: full or read (default full)',
  'expires WHEN':
    'Expiry of the key: a time such as 2031-12-01T08:00:00Z, or 30d, 12h from now (default: never)',
  'orders N': 'Number of orders to generate',
  repair: 'Recompute wrong order counts and id counters of each store from its rows',
} as const;

const choices = {
  deployment: deploymentNames,
  'log-level': ['trace', 'debug', 'info', 'warn', 'error', 'silent'],
  'log-format': ['json', 'pretty'],
  scope: keyScopes,
} as const;

type NameOf<Head> = Head extends `${infer Name} ${string}` ? Name : never;
export type TextFlag = NameOf<keyof typeof allFlags>;
type BooleanFlag = Exclude<keyof typeof allFlags, `${string} ${string}`>;
export type FlagName = TextFlag | BooleanFlag;
export type FlagValues = { readonly [Name in TextFlag]?: string } & {
  readonly [Name in BooleanFlag]?: boolean;
};

const namesOf = (described: object) => Object.keys(described).map((head) => head.split(' ')[0] as FlagName);
export const locationFlags = namesOf(dataFlags);
export const serveFlags = namesOf(serviceFlags);

/** The single definition of every flag: parsing, variables and help derive from it. */
export const flags = Object.fromEntries(
  Object.entries(allFlags).map(([head, help]): [string, Flag] => {
    const [name = '', value] = head.split(' ');
    return [name, { value, help, choices: choices[name as ChoiceFlag], secret: name === 'database' }];
  }),
) as Record<FlagName, Flag>;

/** Standard streams of a command, from the process or a test. */
export interface CommandStreams {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable & { readonly isTTY?: boolean };
}

export type ServerCommand<Result = void> = (
  values: FlagValues,
  args: readonly string[],
  streams: CommandStreams,
) => Promise<Result>;

export interface CommandResult {
  readonly text: string;
  readonly json: unknown;
  /** Printed as an error after the result. */
  readonly problem?: string | undefined;
}

type ChoiceFlag = keyof typeof choices;
type Choice<Name extends ChoiceFlag> = (typeof choices)[Name][number];

export function choice<Name extends ChoiceFlag>(values: FlagValues, name: Name): Choice<Name> | undefined {
  const value: string | undefined = values[name];
  const options: ReadonlyArray<Choice<Name>> = choices[name];
  const chosen = options.find((candidate) => candidate === value);
  if (value !== undefined && chosen === undefined)
    throw new UsageError(`invalid --${name} '${value}': must be ${options.join(' or ')}`);
  return chosen;
}

export function integer(values: FlagValues, name: TextFlag, least: number, most: number): number | undefined {
  const value = values[name];
  if (value === undefined) return undefined;
  const number = Number(value);
  if (!/^\d+$/.test(value) || number < least || number > most) {
    throw new UsageError(`invalid --${name} '${value}': must be a whole number from ${least} to ${most}`);
  }
  return number;
}

export function limit<Other>(values: FlagValues, name: TextFlag, fallback: Other) {
  if (values[name] === undefined) return fallback;
  return values[name] === 'none' ? undefined : integer(values, name, 1, 1_000_000_000);
}
