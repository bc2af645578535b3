import { Command, CommanderError, type Option } from 'commander';
import about from '../package.json' with { type: 'json' };
import { addCheckCommands } from './check-commands.ts';
import { addCompletion } from './completion.ts';
import { examples, exitCodes } from './help.ts';
import { addInspectCommands } from './inspect-commands.ts';
import { endsWithReader, print } from './output.ts';
import { type CommandContext, explainMistake, placeOf } from './place.ts';
import { addServerCommands } from './server-commands.ts';
import { addStoreCommands } from './store-commands.ts';

/** Runs the command that the arguments name, to its exit code. A mistake in them is a `UsageError`. */
export async function run(args: readonly string[], context: CommandContext): Promise<number> {
  let exitCode = 0;
  let help = '';
  const program = buildProgram(context, {
    onExitCode: (code) => {
      exitCode = code;
    },
    onHelp: (text) => {
      help += text;
    },
  });
  try {
    if (args.length === 0) program.outputHelp();
    else await program.parseAsync([...args], { from: 'user' });
  } catch (error) {
    // Asked for help or the version, the library ends by an error as well.
    if (!(error instanceof CommanderError) || error.exitCode !== 0) throw error;
  }
  const printHelp = endsWithReader((call) => print(help, call));
  if (help !== '') await printHelp({ ...context, args, values: {}, given: {} });
  return exitCode;
}

/** What the groups of a command have in common; `--version` is nothing to a command. */
function optionsAbove({ parent }: Command): Option[] {
  if (!parent?.parent) return [];
  return [...parent.options.filter(({ hidden }) => !hidden), ...optionsAbove(parent)];
}

export function buildProgram(
  context: CommandContext,
  { onExitCode = (_: number) => {}, onHelp = (_: string) => {} } = {},
): Command {
  const program = new Command('petstore')
    .description('An order service that does exactly what its document says, and its client.')
    .version(about.version, '--version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .enablePositionalOptions()
    .configureOutput({ writeErr: () => {}, writeOut: onHelp })
    .configureHelp({ showGlobalOptions: true, visibleGlobalOptions: optionsAbove })
    .addHelpText('after', examples + exitCodes);
  program.exitOverride((error) => explainMistake(error, program));
  const root = placeOf(program, context, onExitCode);
  program.commandsGroup('The service and its data:');
  addServerCommands(root);
  program.commandsGroup('A store, over HTTP:');
  addStoreCommands(root);
  addInspectCommands(root);
  program.commandsGroup('Clients and test suites:');
  addCheckCommands(root);
  program.commandsGroup('This command line:');
  addCompletion(root, context);
  program.helpCommand('help [COMMAND]', 'print the help of a command');
  return program;
}
