import { Option } from 'commander';
import {
  type FlagName,
  flags,
  locationFlags,
  type ServerCommand,
  serveFlags,
  type Told,
} from '../../server/src/config/flags.ts';
import { UsageError } from '../../server/src/config/usage-error.ts';
import { UnusableDatabase } from '../../server/src/database/engine.ts';
import { type DeploymentName, deploymentNames } from '../../server/src/deployment.ts';
import type { CliFlag, Values } from './flags.ts';
import { tell } from './output.ts';
import type { Call, Flags, Place } from './place.ts';
import { contentFlags, storeFlags } from './store-flags.ts';

/** Loads a command when it is asked for, prints what it tells, and then throws what it found wrong. */
const working =
  (load: () => Promise<ServerCommand<Told>>) =>
  async (call: Call): Promise<void> => {
    const { text, json, wrong } = await (await load())(call.values, call.args, call);
    await tell(text, json, call);
    if (wrong !== undefined) throw new UnusableDatabase(wrong);
  };

const some = (...names: readonly FlagName[]): Flags =>
  Object.fromEntries(names.map((name) => [name, flags[name]]));

const bug: CliFlag = {
  value: 'ID',
  help: 'with --deployment staging: be wrong in one place, on purpose (check-suite --list --reveal shows where)',
  variable: false,
};

const reveal: CliFlag = {
  help: 'with --bug: the console tells its name, not only its place',
  variable: false,
};

/** A key that a variable holds for other commands is not meant here. */
const keyToStore: Flags = {
  key: { ...flags.key, variable: false },
  store: { ...flags.store, variable: false },
};

const runFlags: Flags = {
  ...contentFlags,
  deployment: {
    value: 'NAME',
    help: 'staging, which has the sandbox, or production (default staging)',
    variable: false,
    choices: deploymentNames,
  },
};

/** Sessions that a key opens may not ask for keys, and an account's may only from the console's own pages. */
const keysOverHttp =
  'keys work on the data of a service (--data, --database), not over HTTP: there, no key shows, makes or ends keys. Sign in to the console of the service instead, and choose Keys.';

const runHelp = `
The command is told by variables where the service is:
  PETSTORE_URL     where the service is, with /v1; PETSTORE_V2_URL the same with /v2
  PETSTORE_KEY     the key
The service listens on a free port of this machine, and its data goes with it. It ends when the command does, or when
petstore is killed. Where standard input is no terminal, processes that the command left behind are ended, too.

Exit codes:
  the command's own, or 128 and the number of the signal that ended it
  2    the command line is wrong
  125  the service could not be started
  127  the command cannot be started
`;

const location: Flags = { ...some(...locationFlags), json: storeFlags.json };
/** Of what works on one deployment. */
const oneOf: Flags = { ...location, deployment: { ...location.deployment, required: true } as CliFlag };

/** Of what works on the embedded database alone. */
const embedded: Flags = {
  ...oneOf,
  database: { ...flags.database, hidden: true },
  'accept-unsafe-database': { ...flags['accept-unsafe-database'], hidden: true },
};

/** The deployment that would listen on a port. */
async function whose(port: number, values: Values): Promise<{ deployment: DeploymentName | undefined }> {
  const { serveConfigFrom } = await import('../../server/src/config/serve-config.ts');
  const { ports } = serveConfigFrom(values);
  return { deployment: deploymentNames.find((name) => ports[name] === port) };
}

/** What runs the service, and what works on its data. */
export function addServerCommands(root: Place): void {
  root.add(
    'serve',
    'run the service, production and staging, print where they are, and log (npm start)',
    { ...some(...serveFlags), bug, reveal },
    async (call) => {
      const { values, args } = call;
      const { serve } = await import('../../server/src/commands/serve.ts');
      const serveBug = async () => (await import('./commands/serve-bug.ts')).serveBug(call);
      await (values.bug === undefined ? serve(values, args, call) : serveBug()).catch(async (error) => {
        throw error.code === 'EADDRINUSE' ? Object.assign(error, await whose(error.port, values)) : error;
      });
    },
  );

  root
    .add(
      'run [COMMAND...]',
      'run a command (-- COMMAND…) beside a private service, which ends with it',
      runFlags,
      async (call) => (await import('./commands/run.ts')).run(call),
    )
    .passThroughOptions()
    .addHelpText('after', runHelp);
  root.command
    .command('private-service <NAME>', { hidden: true })
    .action(async (name) => (await import('./commands/private-service.ts')).servePrivately(name));

  root.add(
    'ready',
    'ask the service that was started with the same flags whether it can do its work',
    some(...serveFlags),
    working(async () => (await import('../../server/src/commands/ready.ts')).ready),
  );

  const keys = root.group('keys', 'API keys: create, list, revoke', oneOf);
  for (const name of ['url', 'profile']) {
    const refuse = () => {
      throw new UsageError(keysOverHttp);
    };
    keys.command.addOption(new Option(`--${name} <VALUE>`).hideHelp().argParser(refuse));
  }
  keys.command.addHelpText('after', `\n${keysOverHttp}`);
  const ofKeys = () => import('../../server/src/commands/keys.ts');
  keys.add(
    'create',
    'open a new store, or take one that is there, and print a key to it',
    { ...keyToStore, ...some('name', 'scope', 'expires') },
    working(async () => (await ofKeys()).createKey),
  );
  keys.add('list', 'show every key: id, last four characters, state, whose it is', {}, async (call) =>
    (await import('./commands/keys.ts')).listKeys(call),
  );
  keys.add(
    'revoke <KEY_ID>',
    'from the next request on, the key opens nothing',
    {},
    working(async () => (await ofKeys()).revokeOneKey),
  );

  const accounts = root.group('accounts', 'accounts of the console: reset a password', oneOf);
  accounts.add(
    'reset-password <EMAIL>',
    'set a new password, print it, and end every session of the account',
    {},
    working(async () => (await import('../../server/src/commands/accounts.ts')).resetAccountPassword),
  );

  root.add(
    'seed',
    'open a store with that many orders and print its key (in production unless told otherwise)',
    { orders: { ...flags.orders, required: true }, ...location, ...some('name') },
    working(async () => (await import('../../server/src/commands/seed.ts')).seed),
  );
  root.add(
    'export',
    'write a whole deployment, as it is at this moment, as lines of JSON: > FILE',
    oneOf,
    async (call) =>
      (await import('../../server/src/commands/transfer.ts')).exportCommand(call.values, call.args, call),
  );
  root.add(
    'import',
    'carry an export into an empty database, whole or not at all: < FILE',
    oneOf,
    working(async () => (await import('../../server/src/commands/transfer.ts')).importCommand),
  );
  root.add(
    'check',
    'look through the whole database, also while the service runs',
    { ...oneOf, repair: { ...flags.repair, variable: false } },
    working(async () => (await import('../../server/src/commands/check.ts')).check),
  );
  root.add(
    'backup <DIR|FILE>',
    'make a checked copy of the embedded database, while the service runs',
    embedded,
    working(async () => (await import('../../server/src/commands/backup.ts')).backup),
  );
  root.add(
    'restore [FILE]',
    'put a copy made by backup in its place, while the service is stopped; with --database, without FILE, after pg_restore',
    oneOf,
    working(async () => (await import('../../server/src/commands/backup.ts')).restore),
  );
}
