import { Option } from 'commander';
import {
  type CommandResult,
  type FlagName,
  flags,
  locationFlags,
  type ServerCommand,
  serveFlags,
} from '../../server/src/config/flags.ts';
import { UsageError } from '../../server/src/config/usage-error.ts';
import { UnusableDatabase } from '../../server/src/database/engine.ts';
import { type DeploymentName, deploymentNames } from '../../server/src/domain/deployment.ts';
import type { Call, CommandGroup, Flags } from './command-group.ts';
import type { CliFlag, Values } from './flags.ts';
import { printResult } from './output.ts';
import { contentFlags, storeFlags } from './store-flags.ts';

/** Loads a command on first use, prints its result, then throws if the result reports a problem. */
const serverCommand =
  (load: () => Promise<ServerCommand<CommandResult>>) =>
  async (call: Call): Promise<void> => {
    const { text, json, problem } = await (await load())(call.values, call.args, call);
    await printResult(text, json, call);
    if (problem !== undefined) throw new UnusableDatabase(problem);
  };

const pickFlags = (...names: readonly FlagName[]): Flags =>
  Object.fromEntries(names.map((name) => [name, flags[name]]));

const bug: CliFlag = {
  value: 'ID',
  help: 'With --deployment staging: serve one planted bug (see check-suite --list --reveal)',
  variable: false,
};

const reveal: CliFlag = {
  help: 'With --bug: show the name of the bug in the console, not only its operation',
  variable: false,
};

/** PETSTORE_KEY is for other commands: here the key must be given as a flag. */
const keyAndStoreFlags: Flags = {
  key: { ...flags.key, variable: false },
  store: { ...flags.store, variable: false },
};

const runFlags: Flags = {
  ...contentFlags,
  deployment: {
    value: 'NAME',
    help: 'Deployment to run: staging, with the sandbox, or production (default staging)',
    variable: false,
    choices: deploymentNames,
  },
};

/** Over HTTP, only an account session of the console may manage keys. */
const keysOverHttpHint =
  'keys commands work directly on a database (--data or --database), not over HTTP: an API key cannot manage keys. To manage keys of a remote service, sign in to its console and open Keys.';

const runHelp = `
The command receives these environment variables:
  PETSTORE_URL     base URL of the service, ending in /v1; PETSTORE_V2_URL is the same with /v2
  PETSTORE_KEY     API key
The service listens on a free local port and deletes its data on exit. It stops when the command exits, or when
petstore is killed. Unless standard input is a terminal, remaining child processes of the command are killed, too.

Exit codes:
  exit code of the command, or 128 plus the number of the signal that killed it
  2    usage error
  125  the service could not be started
  127  the command could not be started
`;

const databaseFlags: Flags = { ...pickFlags(...locationFlags), json: storeFlags.json };
/** Flags of commands that work on one deployment. */
const deploymentFlags: Flags = {
  ...databaseFlags,
  deployment: { ...databaseFlags.deployment, required: true } as CliFlag,
};

/** Flags of commands that work on the embedded database only. */
const embeddedFlags: Flags = {
  ...deploymentFlags,
  database: { ...flags.database, hidden: true },
  'accept-unsafe-database': { ...flags['accept-unsafe-database'], hidden: true },
};

/** The deployment that is configured to listen on a port. */
async function deploymentAt(
  port: number,
  values: Values,
): Promise<{ deployment: DeploymentName | undefined }> {
  const { serveConfigFrom } = await import('../../server/src/config/serve-config.ts');
  const { ports } = serveConfigFrom(values);
  return { deployment: deploymentNames.find((name) => ports[name] === port) };
}

/** Commands that run the service or work on its data. */
export function addServerCommands(root: CommandGroup): void {
  root.add(
    'serve',
    'Run the service: production and staging, or one of them (npm start)',
    { ...pickFlags(...serveFlags), bug, reveal },
    async (call) => {
      const { values, args } = call;
      const { serve } = await import('../../server/src/commands/serve.ts');
      const serveBug = async () => (await import('./commands/serve-bug.ts')).serveBug(call);
      await (values.bug === undefined ? serve(values, args, call) : serveBug()).catch(async (error) => {
        throw error.code === 'EADDRINUSE'
          ? Object.assign(error, await deploymentAt(error.port, values))
          : error;
      });
    },
  );

  root
    .add(
      'run [COMMAND...]',
      'Run a command (-- COMMAND…) with a private, temporary service',
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
    'Check whether a service that was started with these flags is ready',
    pickFlags(...serveFlags),
    serverCommand(async () => (await import('../../server/src/commands/ready.ts')).ready),
  );

  const keys = root.group('keys', 'Create, list and revoke API keys', deploymentFlags);
  for (const name of ['url', 'profile']) {
    const rejectValue = () => {
      throw new UsageError(keysOverHttpHint);
    };
    keys.command.addOption(new Option(`--${name} <VALUE>`).hideHelp().argParser(rejectValue));
  }
  keys.command.addHelpText('after', `\n${keysOverHttpHint}`);
  const keysModule = () => import('../../server/src/commands/keys.ts');
  keys.add(
    'create',
    'Create a key for a new or existing store and print it',
    { ...keyAndStoreFlags, ...pickFlags('name', 'scope', 'expires') },
    serverCommand(async () => (await keysModule()).createKey),
  );
  keys.add('list', 'List all keys with their state and owner', {}, async (call) =>
    (await import('./commands/keys.ts')).listKeys(call),
  );
  keys.add(
    'revoke <KEY_ID>',
    'Revoke a key, effective immediately',
    {},
    serverCommand(async () => (await keysModule()).revokeOneKey),
  );

  const accounts = root.group('accounts', 'Manage console accounts', deploymentFlags);
  accounts.add(
    'reset-password <EMAIL>',
    'Set and print a new password, and end all sessions of the account',
    {},
    serverCommand(async () => (await import('../../server/src/commands/accounts.ts')).resetAccountPassword),
  );

  root.add(
    'seed',
    'Create a store with generated orders and print its key (default deployment: production)',
    { orders: { ...flags.orders, required: true }, ...databaseFlags, ...pickFlags('name') },
    serverCommand(async () => (await import('../../server/src/commands/seed.ts')).seed),
  );
  root.add(
    'export',
    'Export a consistent snapshot of a deployment to standard output, as JSON Lines',
    deploymentFlags,
    async (call) =>
      (await import('../../server/src/commands/transfer.ts')).exportCommand(call.values, call.args, call),
  );
  root.add(
    'import',
    'Import an export from standard input into an empty database, in one transaction',
    deploymentFlags,
    serverCommand(async () => (await import('../../server/src/commands/transfer.ts')).importCommand),
  );
  root.add(
    'check',
    'Check the integrity of a database; safe while the service runs',
    { ...deploymentFlags, repair: { ...flags.repair, variable: false } },
    serverCommand(async () => (await import('../../server/src/commands/check.ts')).check),
  );
  root.add(
    'backup <DIR|FILE>',
    'Back up and verify the embedded database; safe while the service runs',
    embeddedFlags,
    serverCommand(async () => (await import('../../server/src/commands/backup.ts')).backup),
  );
  root.add(
    'restore [FILE]',
    'Restore a backup while the service is stopped; with --database, finish a pg_restore',
    deploymentFlags,
    serverCommand(async () => (await import('../../server/src/commands/backup.ts')).restore),
  );
}
