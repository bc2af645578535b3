import type { Command, CommanderError } from 'commander';
import type { CommandStreams } from '../../server/src/config/flags.ts';
import { UsageError } from '../../server/src/config/usage-error.ts';
import { addFlags, type CliFlag, type Values, valuesOf, variableOf } from './flags.ts';

/** The environment of a command. Only the entry point reads it from `process`. */
export interface CommandContext extends CommandStreams {
  readonly env: NodeJS.ProcessEnv;
  /** Aborted with `Interrupted` on SIGINT, SIGTERM or SIGHUP. Until the first call, these signals have their default action. */
  interruption(): AbortSignal;
  /** Sets the exit code for uncaught exceptions. */
  setCrashCode(code: number): void;
}

/** One invocation of a command. */
export interface Call extends CommandContext {
  readonly args: readonly string[];
  /** Flags, falling back to environment variables. */
  readonly values: Values;
  /** Flags only. */
  readonly given: Values;
}
export type Flags = Readonly<Record<string, CliFlag>>;
/** Resolves to the exit code; undefined means 0. */
export type CommandHandler = (call: Call) => Promise<number> | Promise<void>;

/** The commands of a module by name. The module is loaded on the first call. */
export function commandsOf<M extends Record<keyof M, CommandHandler>>(
  load: () => Promise<M>,
): (name: keyof M) => (call: Call) => Promise<number> {
  return (name) => async (call) => (await (await load())[name](call)) ?? 0;
}

/** The root command or a group, to which commands are added. */
export interface CommandGroup {
  readonly command: Command;
  /** `usage` is the name and its arguments: `get <ORDER_ID>`. */
  add(usage: string, help: string, flags: Flags, work: CommandHandler): Command;
  /** A command with subcommands. Its flags are accepted before and after the subcommand. */
  group(name: string, help: string, flags?: Flags): CommandGroup;
}

export function commandGroup(
  parent: Command,
  context: CommandContext,
  onExitCode: (code: number) => void,
): CommandGroup {
  const addCommand = (usage: string, help: string, flags: Flags): Command => {
    const command = addFlags(parent.command(usage).description(help), flags);
    command.enablePositionalOptions(false).helpCommand(false);
    return command.exitOverride((error) => explainMistake(error, command));
  };
  return {
    command: parent,
    add(usage, help, flags, work) {
      const command = addCommand(usage, help, flags);
      return command.action(async () => {
        const call = { ...context, args: command.args, ...valuesOf(command, context.env) };
        try {
          onExitCode((await work(call)) ?? 0);
        } catch (error) {
          rethrowWithUrlHint(error as Error, call);
        }
      });
    },
    group: (name, help, flags = {}) => commandGroup(addCommand(name, help, flags), context, onExitCode),
  };
}

/** Adds a hint when a key was rejected and the URL came from an environment variable, which is easy to forget. */
function rethrowWithUrlHint(error: Error & { code?: unknown }, { values, given }: Call): never {
  const isFromProfile = given.profile !== undefined && given.key === undefined;
  if (error.code === 'invalid_api_key' && values.url !== given.url && !isFromProfile)
    error.message += ` The URL comes from ${variableOf('url')}: unset it, or pass --url.`;
  throw error;
}

/** Turns a Commander error into a one-line `UsageError` with a hint. */
export function explainMistake(error: CommanderError, command: Command): never {
  const path = pathOf(command);
  const more = `run ${path} --help`;
  const names = command.commands.map((subcommand) => subcommand.name()).filter((name) => name !== 'help');
  const [given = ''] = command.args.filter((arg) => arg !== 'help');
  const isUnknown = names.length > 0 && /^\w/.test(given) && !names.includes(given);
  const groups = command.commands.filter(({ commands }) =>
    commands.some((nested) => nested.name() === given),
  );
  const [group] = groups;
  if (isUnknown && group && groups.length === 1)
    throw new UsageError(`unknown command '${given}' (Did you mean ${pathOf(group)} ${given}?); ${more}`);
  // `help` for an unknown command is an error as well.
  if (isUnknown && error.code !== 'commander.unknownCommand')
    throw new UsageError(`unknown command '${given}'; ${more}`);
  if (error.exitCode === 0) throw error;
  if (error.code === 'commander.help')
    throw new UsageError(
      `${path.slice('petstore '.length)} requires a subcommand: ${names.join(', ')}; ${more}`,
    );
  if (error.code === 'commander.excessArguments') {
    const extra = command.args[command.registeredArguments.length];
    throw new UsageError(`unexpected argument '${extra}' for ${command.name()}; ${more}`);
  }
  const lines = error.message.replace(/^error: /, '').split('\n');
  const [first, hint] = lines.map((line) => line.trim());
  throw new UsageError(`${first}${hint === undefined ? '' : ` ${hint}`}; ${more}`);
}

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}
