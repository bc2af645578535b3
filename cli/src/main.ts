import { UsageError } from '../../server/src/config.ts';
import { Unavailable, UnusableDatabase } from '../../server/src/database/engine.ts';
import { TransferError } from '../../server/src/transfer/format.ts';
import about from '../package.json' with { type: 'json' };
import { help } from './help.ts';

type Command = (args: readonly string[], env: NodeJS.ProcessEnv) => Promise<void>;

/** Each is loaded only when it is asked for: the smaller ones start in a moment. */
const commands: Record<string, () => Promise<Command>> = {
  serve: async () => (await import('../../server/src/commands/serve.ts')).serve,
  keys: async () => (await import('../../server/src/commands/keys.ts')).keys,
  seed: async () => (await import('../../server/src/commands/seed.ts')).seed,
  export: async () => (await import('../../server/src/commands/export.ts')).exportCommand,
  listen: async () => (await import('../../server/src/commands/listen.ts')).listen,
  check: async () => (await import('../../server/src/commands/check.ts')).check,
  backup: async () => (await import('../../server/src/commands/backup.ts')).backup,
  restore: async () => (await import('../../server/src/commands/backup.ts')).restore,
  import: async () => (await import('../../server/src/commands/import.ts')).importCommand,
  'check-client': async () => (await import('../../server/src/commands/check-client.ts')).checkClient,
};

/** Runs the command that the arguments name, and says in one line why it could not. */
export async function main(args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  try {
    await run(args, env);
  } catch (error) {
    process.exitCode = error instanceof UsageError ? 2 : 1;
    console.error(`petstore: ${explain(error)}`);
  }
}

async function run(args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const [name = 'serve', ...rest] = args;
  // What stands behind `--` is for another program.
  const own = args.slice(0, args.includes('--') ? args.indexOf('--') : undefined);
  if (own.includes('--help') || own.includes('-h') || name === 'help') return console.log(help);
  if (own.includes('--version')) return console.log(about.version);
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!load) throw new UsageError(`there is no command '${name}'; see petstore --help`);
  const command = await load();
  await command(rest, env);
}

/** One line a person can act on; only what nobody foresaw comes with its stack. */
function explain(error: unknown): string {
  if (error instanceof UsageError || error instanceof UnusableDatabase || error instanceof Unavailable)
    return error.message;
  if (error instanceof TransferError) return error.message;
  const { code, port, address } = error as NodeJS.ErrnoException & { port?: number; address?: string };
  if (code === 'EADDRINUSE') return `port ${port} on ${address} is in use; choose another with --port`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `this machine has no address ${address ?? ''} to listen on`;
  if (code === 'EACCES' && port !== undefined) return `port ${port} needs more rights than this user has`;
  return String((error as Error).stack ?? error);
}
