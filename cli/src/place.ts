import type { Command, CommanderError } from 'commander';
import type { CommandStreams } from '../../server/src/config/flags.ts';
import { UsageError } from '../../server/src/config/usage-error.ts';
import { addFlags, type CliFlag, type Values, valuesOf, variableOf } from './flags.ts';

/** What surrounds a command. Only the program's entry takes it from `process`. */
export interface CommandContext extends CommandStreams {
  readonly env: NodeJS.ProcessEnv;
  /** Aborted with `Interrupted` by SIGINT, SIGTERM or SIGHUP, whose default action holds until this is first called. */
  interruption(): AbortSignal;
  /** What an exception that nothing catches ends the process with. */
  setCrashCode(code: number): void;
}

/** What a command is called with. */
export interface Call extends CommandContext {
  readonly args: readonly string[];
  /** Flags, and variables where there is no flag. */
  readonly values: Values;
  /** Flags alone. */
  readonly given: Values;
}
export type Flags = Readonly<Record<string, CliFlag>>;
/** Resolves to the exit code; to nothing for 0. */
export type Work = (call: Call) => Promise<number> | Promise<void>;

/** The commands of a module by name. The module is loaded when one of them is called. */
export function commandsOf<M extends Record<keyof M, Work>>(
  load: () => Promise<M>,
): (name: keyof M) => (call: Call) => Promise<number> {
  return (name) => async (call) => (await (await load())[name](call)) ?? 0;
}

/** A place in the command line to which commands are added. */
export interface Place {
  readonly command: Command;
  /** `usage` is a name and its arguments: `get <ORDER_ID>`. */
  add(usage: string, help: string, flags: Flags, work: Work): Command;
  /** A command with commands of its own; their common flags may stand before or behind their names. */
  group(name: string, help: string, flags?: Flags): Place;
}

export function placeOf(parent: Command, context: CommandContext, onExitCode: (code: number) => void): Place {
  const make = (usage: string, help: string, flags: Flags): Command => {
    const command = addFlags(parent.command(usage).description(help), flags);
    command.enablePositionalOptions(false).helpCommand(false);
    return command.exitOverride((error) => explainMistake(error, command));
  };
  return {
    command: parent,
    add(usage, help, flags, work) {
      const command = make(usage, help, flags);
      return command.action(async () => {
        const call = { ...context, args: command.args, ...valuesOf(command, context.env) };
        try {
          onExitCode((await work(call)) ?? 0);
        } catch (error) {
          throwWithAddress(error as Error, call);
        }
      });
    },
    group: (name, help, flags = {}) => placeOf(make(name, help, flags), context, onExitCode),
  };
}

/** A key may be refused because a variable, which its user forgot, sends it to another deployment. */
function throwWithAddress(error: Error & { code?: unknown }, { values, given }: Call): never {
  const isOfProfile = given.profile !== undefined && given.key === undefined;
  if (error.code === 'invalid_api_key' && values.url !== given.url && !isOfProfile)
    error.message += ` The address is that of ${variableOf('url')}: unset it, or give --url.`;
  throw error;
}

/** What the library says of a mistake, in one line and in our words where they are better. */
export function explainMistake(error: CommanderError, command: Command): never {
  const path = pathOf(command);
  const more = `see ${path} --help`;
  const names = command.commands.map((one) => one.name()).filter((name) => name !== 'help');
  const [asked = ''] = command.args.filter((arg) => arg !== 'help');
  const isUnknown = names.length > 0 && /^\w/.test(asked) && !names.includes(asked);
  const places = command.commands.filter(({ commands }) => commands.some((one) => one.name() === asked));
  const [place] = places;
  if (isUnknown && place && places.length === 1)
    throw new UsageError(`unknown command '${asked}' (it is ${pathOf(place)} ${asked}); ${more}`);
  // To ask for the help of a command that is not there is a mistake as well.
  if (isUnknown && error.code !== 'commander.unknownCommand')
    throw new UsageError(`unknown command '${asked}'; ${more}`);
  if (error.exitCode === 0) throw error;
  if (error.code === 'commander.help')
    throw new UsageError(`${path.slice('petstore '.length)} needs one of ${names.join(', ')}; ${more}`);
  if (error.code === 'commander.excessArguments') {
    const extra = command.args[command.registeredArguments.length];
    throw new UsageError(`${command.name()} takes no argument '${extra}'; ${more}`);
  }
  const said = error.message.replace(/^error: /, '').split('\n');
  const [first, hint] = said.map((line) => line.trim());
  throw new UsageError(`${first}${hint === undefined ? '' : ` ${hint}`}; ${more}`);
}

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}
