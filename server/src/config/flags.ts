import { deploymentNames } from '../deployment.ts';
import { logFormats } from '../log.ts';
import { defaultQuotas, type Quotas } from '../quotas.ts';
import { keyScopes } from '../vocabulary.ts';
import { UsageError } from './usage-error.ts';

export const DEFAULT_PORT = 8080;
export const DEFAULT_RATE_LIMIT = 1_200;

export interface Flag {
  /** Stands for the value in the help; a flag without one is a switch. */
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly help: string;
  readonly secret?: boolean;
}

/** Writes 10,000 by hand: toLocaleString takes 8 MB, in every command. */
function byDefault(name: keyof Quotas): string {
  return `(default ${String(defaultQuotas[name]).replace(/\B(?=(\d{3})+$)/g, ',')})`;
}

const ofData = {
  deployment: {
    value: 'NAME',
    choices: deploymentNames,
    help: 'production or staging: run, or work on, just this one',
  },
  data: { value: 'DIR', help: 'folder of the embedded databases (default ./data)' },
  database: {
    value: 'URL',
    help: 'postgres://… instead of the embedded database; needs --deployment',
    secret: true,
  },
  'accept-unsafe-database': {
    help: 'use a PostgreSQL that may lose acknowledged changes (fsync and the like off)',
  },
} as const satisfies Record<string, Flag>;

const ofService = {
  port: {
    value: 'PORT',
    help: 'port of production, and staging takes the next one; with --deployment, of that one (default 8080, 8081)',
  },
  host: { value: 'ADDRESS', help: 'address to listen on (default 127.0.0.1: this machine only)' },
  ...ofData,
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
    help: 'open a demonstration account and print its key (default on a loopback host without a public address; --no-demo turns it off)',
  },
  'staging-key': {
    value: 'KEY',
    help: 'a key to the demonstration store of staging that is known in advance, to everybody: for tests; no rate limit there unless --rate-limit is given',
  },
  'base-url': {
    value: 'URL',
    help: 'public address of production, such as https://pets.example/v1 (default: whatever address a client used)',
  },
  'staging-base-url': { value: 'URL', help: 'public address of staging' },
  'trust-proxy': {
    help: 'take the last address in X-Forwarded-For for the client (default: the connection)',
  },
  metrics: {
    help: 'let other machines read /metrics (default: only this one, and nobody behind a proxy)',
  },
  'max-connections': {
    value: 'N',
    help: 'connections open at a time in each deployment (default: what the limit on open files allows)',
  },
  'max-connections-per-address': {
    value: 'N',
    help: 'of these, those of one client address, or none (default: a tenth of them beyond a loopback host, where no proxy is named)',
  },
  workers: {
    value: 'N',
    help: 'processes that share the port (default: one for each core, where one deployment is served beyond a loopback host)',
  },
  drain: {
    value: 'SECONDS',
    help: 'how long to go on serving, as not ready, after SIGTERM (default 0, or 5 beyond a loopback host)',
  },
  'list-memory': { value: 'MB', help: 'memory for serialised lists of each deployment (default 256)' },
  'webhooks-private': {
    help: 'send webhooks also to private addresses and by http (default on a loopback host)',
  },
  inspector: {
    help: 'keep the last requests of each store for its owner (default; --no-inspector turns it off)',
  },
  'log-level': {
    value: 'LEVEL',
    choices: ['trace', 'debug', 'info', 'warn', 'error', 'silent'],
    help: 'trace, debug, info, warn, error or silent (default info)',
  },
  'log-format': {
    value: 'FORMAT',
    choices: logFormats,
    help: 'json, or pretty: lines for people (default pretty in a terminal, json elsewhere)',
  },
  'log-addresses': {
    help: 'log the client address of each request, of IPv6 its first half (default: none is logged)',
  },
  'backup-every': {
    value: 'TIME',
    help: 'copy the embedded database into DIR/backups so often, such as 30m or 1h (default: never)',
  },
  'backup-keep': { value: 'N', help: 'how many of these copies to keep (default 24)' },
  json: {
    help: 'print addresses and keys as one line of JSON, alone on standard output; the log goes to standard error',
  },
  'env-file': {
    value: 'FILE',
    help: 'write addresses and keys to this file as variables (PETSTORE_URL=…) once the service is ready',
  },
} as const satisfies Record<string, Flag>;

/** Every flag, once: parsing, variables and help derive from it. */
export const flags = {
  ...ofService,
  key: { value: 'KEY', help: 'a further key to the store that this key opens, instead of a new store' },
  store: { value: 'ID', help: 'the same by the id of the store, as keys list shows it' },
  name: { value: 'TEXT', help: 'a name to recognise the key by' },
  scope: {
    value: 'SCOPE',
    choices: keyScopes,
    help: 'full, or read: a key that may change nothing (default full)',
  },
  expires: {
    value: 'WHEN',
    help: 'when the key ends: 2031-12-01T08:00:00Z, or 30d, 12h from now (default never)',
  },
  orders: { value: 'N', help: 'how many orders to make' },
} as const satisfies Record<string, Flag>;

type Flags = typeof flags;
export type FlagName = keyof Flags;
type FlagsWith<Part> = { [Name in FlagName]: Flags[Name] extends Part ? Name : never }[FlagName];
export type TextFlag = FlagsWith<{ value: string }>;
type ChoiceFlag = FlagsWith<{ choices: readonly string[] }>;
export type FlagValues = { readonly [Name in FlagName]?: Name extends TextFlag ? string : boolean };

export type ServerCommand<Result = void> = (values: FlagValues, args: readonly string[]) => Promise<Result>;

export interface Told {
  readonly text: string;
  readonly json: unknown;
  readonly wrong?: string | undefined;
}

export const locationFlags = Object.keys(ofData) as FlagName[];
export const serveFlags = Object.keys(ofService) as FlagName[];

type Choice<Name extends ChoiceFlag> = Flags[Name]['choices'][number];

export function choice<Name extends ChoiceFlag>(values: FlagValues, name: Name): Choice<Name> | undefined {
  const value: string | undefined = values[name];
  const choices: ReadonlyArray<Choice<Name>> = flags[name].choices;
  const chosen = choices.find((one) => one === value);
  if (value !== undefined && chosen === undefined)
    throw new UsageError(`--${name} is '${value}': it must be ${choices.join(' or ')}`);
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
