import type { Readable, Writable } from 'node:stream';
import { deploymentNames } from '../deployment.ts';
import { defaultQuotas, type Quotas } from '../quotas.ts';
import { keyScopes } from '../vocabulary.ts';
import { UsageError } from './usage-error.ts';

export const DEFAULT_RATE_LIMIT = 1_200;

export interface Flag {
  /** Stands for the value in the help; a flag without one is a switch. */
  readonly value?: string | undefined;
  readonly choices?: readonly string[] | undefined;
  readonly help: string;
  readonly secret?: boolean;
}

/** Writes 10,000 by hand: toLocaleString takes 8 MB, in every command. */
function byDefault(name: keyof Quotas): string {
  return `(default ${String(defaultQuotas[name]).replace(/\B(?=(\d{3})+$)/g, ',')})`;
}

/** Each flag with what stands for its value in the help; one without is a switch. */
const ofData = {
  'deployment NAME': 'production or staging: run, or work on, just this one',
  'data DIR': 'folder of the embedded databases (default ./data)',
  'database URL': 'postgres://… instead of the embedded database; needs --deployment',
  'accept-unsafe-database': 'use a PostgreSQL that may lose acknowledged changes (fsync and the like off)',
} as const;

const ofService = {
  'port PORT':
    'port of production, and staging takes the next one; with --deployment, of that one (default 8080, 8081)',
  'host ADDRESS': 'address to listen on (default 127.0.0.1: this machine only)',
  ...ofData,
  'rate-limit N': `requests a store may make in a minute, or none (default ${DEFAULT_RATE_LIMIT} beyond a loopback host)`,
  'max-keys N': `working keys of a store, or none ${byDefault('keys')}`,
  'max-pets N': `pets of a store, or none ${byDefault('pets')}`,
  'max-orders N': `orders of a store, or none ${byDefault('orders')}`,
  'max-webhooks N': `webhooks of a store, 1,000 at the most ${byDefault('webhooks')}`,
  'max-idempotency-keys N': `idempotency keys remembered for a store, or none ${byDefault('idempotencyKeys')}`,
  'max-new-stores N': `stores that one address may open in a day, or none (default ${defaultQuotas.newStores} beyond a loopback host)`,
  demo: 'open a demonstration account and print its key (default on a loopback host without a public address; --no-demo turns it off)',
  'staging-key KEY':
    'a key to the demonstration store of staging that is known in advance, to everybody: for tests; no rate limit there unless --rate-limit is given',
  'base-url URL':
    'public address of production, such as https://pets.example/v1 (default: whatever address a client used)',
  'staging-base-url URL': 'public address of staging',
  'trust-proxy': 'take the last address in X-Forwarded-For for the client (default: the connection)',
  metrics: 'let other machines read /metrics (default: only this one, and nobody behind a proxy)',
  'max-connections N':
    'connections open at a time in each deployment (default: what the limit on open files allows)',
  'max-connections-per-address N':
    'of these, those of one client address, or none (default: a tenth of them beyond a loopback host, where no proxy is named)',
  'workers N':
    'processes that share the port (default: one for each core, where one deployment is served beyond a loopback host)',
  'drain SECONDS':
    'how long to go on serving, as not ready, after SIGTERM (default 0, or 5 beyond a loopback host)',
  'list-memory MB': 'memory for answers that are kept, of each deployment (default 256)',
  'webhooks-private': 'send webhooks also to private addresses and by http (default on a loopback host)',
  inspector: 'keep the last requests of each store for its owner (default; --no-inspector turns it off)',
  'log-level LEVEL': 'trace, debug, info, warn, error or silent (default info)',
  'log-format FORMAT': 'json, or pretty: lines for people (default pretty in a terminal, json elsewhere)',
  'log-addresses': 'log the client address of each request, of IPv6 its first half (default: none is logged)',
  'backup-every TIME':
    'copy the embedded database into DIR/backups so often, such as 30m or 1h (default: never)',
  'backup-keep N': 'how many of these copies to keep (default 24)',
  json: 'print addresses and keys as one line of JSON, alone on standard output; the log goes to standard error',
  'env-file FILE':
    'write addresses and keys to this file as variables (PETSTORE_URL=…) once the service is ready',
} as const;

const all = {
  ...ofService,
  'key KEY': 'a further key to the store that this key opens, instead of a new store',
  'store ID': 'the same by the id of the store, as keys list shows it',
  'name TEXT': 'a name to recognise the key by',
  'scope SCOPE': 'full, or read: a key that may change nothing (default full)',
  'expires WHEN': 'when the key ends: 2031-12-01T08:00:00Z, or 30d, 12h from now (default never)',
  'orders N': 'how many orders to make',
  repair:
    'derive the counts of orders and the counters of each store from its rows again, where they are wrong',
} as const;

const choices = {
  deployment: deploymentNames,
  'log-level': ['trace', 'debug', 'info', 'warn', 'error', 'silent'],
  'log-format': ['json', 'pretty'],
  scope: keyScopes,
} as const;

type Named<Head> = Head extends `${infer Name} ${string}` ? Name : never;
export type TextFlag = Named<keyof typeof all>;
type Switch = Exclude<keyof typeof all, `${string} ${string}`>;
export type FlagName = TextFlag | Switch;
export type FlagValues = { readonly [Name in TextFlag]?: string } & { readonly [Name in Switch]?: boolean };

const namesOf = (some: object) => Object.keys(some).map((head) => head.split(' ')[0] as FlagName);
export const locationFlags = namesOf(ofData);
export const serveFlags = namesOf(ofService);

/** Every flag, once: parsing, variables and help derive from it. */
export const flags = Object.fromEntries(
  Object.entries(all).map(([head, help]): [string, Flag] => {
    const [name = '', value] = head.split(' ');
    return [name, { value, help, choices: choices[name as ChoiceFlag], secret: name === 'database' }];
  }),
) as Record<FlagName, Flag>;

/** The standard streams of a command: those of the process, or of a test. */
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

export interface Told {
  readonly text: string;
  readonly json: unknown;
  readonly wrong?: string | undefined;
}

type ChoiceFlag = keyof typeof choices;
type Choice<Name extends ChoiceFlag> = (typeof choices)[Name][number];

export function choice<Name extends ChoiceFlag>(values: FlagValues, name: Name): Choice<Name> | undefined {
  const value: string | undefined = values[name];
  const known: ReadonlyArray<Choice<Name>> = choices[name];
  const chosen = known.find((one) => one === value);
  if (value !== undefined && chosen === undefined)
    throw new UsageError(`--${name} is '${value}': it must be ${known.join(' or ')}`);
  return chosen;
}

export function integer(values: FlagValues, name: TextFlag, least: number, most: number): number | undefined {
  const value = values[name];
  if (value === undefined) return undefined;
  const number = Number(value);
  if (!/^\d+$/.test(value) || number < least || number > most) {
    throw new UsageError(`--${name} is '${value}': it must be a whole number from ${least} to ${most}`);
  }
  return number;
}

export function limit<Other>(values: FlagValues, name: TextFlag, otherwise: Other) {
  if (values[name] === undefined) return otherwise;
  return values[name] === 'none' ? undefined : integer(values, name, 1, 1_000_000_000);
}
