import { availableParallelism } from 'node:os';
import { describe, expect, it } from 'vitest';
import { valuesOf, variableOf } from '../../../cli/src/flags.ts';
import { buildProgram } from '../../../cli/src/program.ts';
import { type FlagName, type FlagValues, serveFlags } from '../../src/config/flags.ts';
import { serveConfigFrom } from '../../src/config/serve-config.ts';
import { testContext } from '../support/command.ts';

/** The configuration of `serve` for these flags and variables. */
async function configOf(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const program = buildProgram({ ...testContext().context, env });
  const serve = program.commands.find((command) => command.name() === 'serve');
  let values: FlagValues | undefined;
  serve?.action(() => {
    values = valuesOf(serve, env).values;
  });
  await program.parseAsync(['serve', ...args], { from: 'user' });
  if (!values) throw new Error('serve was not called');
  return serveConfigFrom(values);
}

type Row = readonly [value: string | boolean, config: object, otherFlags?: readonly string[]];

const postgres = 'postgres://petstore@127.0.0.1/petstore';

/** A value for each flag, the resulting configuration, and other required flags. */
const rows: { readonly [Name in FlagName]?: Row } = {
  port: ['9000', { ports: { production: 9000, staging: 9001 } }],
  host: [
    '0.0.0.0',
    { host: '0.0.0.0', demo: false, rateLimit: 1_200, drainMs: 5_000, webhooksPrivate: false },
  ],
  deployment: ['staging', { deployments: ['staging'] }],
  data: ['elsewhere', { data: 'elsewhere' }],
  database: [postgres, { database: postgres }, ['--deployment', 'staging']],
  'accept-unsafe-database': [true, { acceptUnsafe: true }],
  'rate-limit': ['7', { rateLimit: 7, stagingRateLimit: 7 }],
  'max-keys': ['7', { quotas: { keys: 7n } }],
  'max-pets': ['7', { quotas: { pets: 7n } }],
  'max-orders': ['7', { quotas: { orders: 7n } }],
  'max-webhooks': ['7', { quotas: { webhooks: 7n } }],
  'max-idempotency-keys': ['7', { quotas: { idempotencyKeys: 7n } }],
  'max-new-stores': ['7', { quotas: { newStores: 7n } }],
  demo: [false, { demo: false }],
  'staging-key': ['known-to-all', { stagingKey: 'known-to-all' }],
  'base-url': ['https://pets.example', { publicAddresses: { production: 'https://pets.example' } }],
  'staging-base-url': ['https://pets.example', { publicAddresses: { staging: 'https://pets.example' } }],
  'trust-proxy': [true, { trustProxy: true }],
  metrics: [true, { metricsForAnyone: true }],
  'max-connections': ['7', { connections: { max: 7 } }],
  'max-connections-per-address': ['7', { connections: { maxPerAddress: 7 } }],
  workers: ['3', { workers: 3 }],
  drain: ['7', { drainMs: 7_000 }],
  'list-memory': ['7', { lists: { budget: 7 * 1024 * 1024 } }],
  'webhooks-private': [false, { webhooksPrivate: false }],
  inspector: [false, { inspector: false }],
  'log-level': ['warn', { logLevel: 'warn' }],
  'log-format': ['pretty', { logFormat: 'pretty' }],
  'log-addresses': [true, { logAddresses: true }],
  'backup-every': ['30m', { backup: { everyMs: 1_800_000, keep: 24 } }],
  'backup-keep': ['7', { backup: { everyMs: 3_600_000, keep: 7 } }, ['--backup-every', '1h']],
  json: [true, { json: true }],
  'env-file': ['service.env', { envFile: 'service.env' }],
};

describe('serve', () => {
  it.each(serveFlags)('follows --%s or its variable', async (name) => {
    const row = rows[name];
    if (!row) throw new Error(`no row for --${name}`);
    const [value, changed, otherFlags = []] = row;
    expect(await configOf(otherFlags)).not.toMatchObject(changed);
    const flag = typeof value === 'string' ? [`--${name}`, value] : [`--${value ? '' : 'no-'}${name}`];
    expect(await configOf([...otherFlags, ...flag])).toMatchObject(changed);
    expect(await configOf(otherFlags, { [variableOf(name)]: String(value) })).toMatchObject(changed);
  });

  it.each([
    [['--host', '0.0.0.0', '--deployment', 'staging'], availableParallelism()],
    [['--host', '0.0.0.0'], 1],
    [['--deployment', 'staging'], 1],
  ])('with %j, runs as %i processes', async (args, workers) => {
    expect((await configOf(args)).workers).toBe(workers);
  });

  it('divides the list cache among its processes', async () => {
    const { lists } = await configOf(['--workers', '4', '--list-memory', '100']);
    expect(lists.budget).toBe(25 * 1024 * 1024);
  });
});
