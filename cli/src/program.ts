import { Command, CommanderError, type Option } from 'commander';
import about from '../package.json' with { type: 'json' };
import { addCheckCommands } from './check-commands.ts';
import { type CommandContext, commandGroup, explainMistake } from './command-group.ts';
import { addCompletion } from './completion.ts';
import { examples, exitCodes } from './help.ts';
import { addInspectCommands } from './inspect-commands.ts';
import { exitWhenReaderCloses, print } from './output.ts';
import { addServerCommands } from './server-commands.ts';
import { addStoreCommands } from './store-commands.ts';

/** Runs the command and returns its exit code. Throws `UsageError` on invalid arguments. */
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
    // Commander also throws for --help and --version, with exit code 0.
    if (!(error instanceof CommanderError) || error.exitCode !== 0) throw error;
  }
  const printHelp = exitWhenReaderCloses((call) => print(help, call));
  if (help !== '') await printHelp({ ...context, args, values: {}, given: {} });
  return exitCode;
}

/** The options of a command's groups, without the root's `--version`. */
function optionsAbove({ parent }: Command): Option[] {
  if (!parent?.parent) return [];
  return [...parent.options.filter(({ hidden }) => !hidden), ...optionsAbove(parent)];
}

export function buildProgram(
  context: CommandContext,
  { onExitCode = (_: number) => {}, onHelp = (_: string) => {} } = {},
): Command {
  const program = new Command('petstore')
    .description('Run Pet Store, test API clients against it, and manage stores.')
    .version(about.version, '--version', 'Print the version')
    .helpOption('-h, --help', 'Print this help')
    .enablePositionalOptions()
    .configureOutput({ writeErr: () => {}, writeOut: onHelp })
    .configureHelp({ showGlobalOptions: true, visibleGlobalOptions: optionsAbove })
    .addHelpText('after', examples + exitCodes);
  program.exitOverride((error) => explainMistake(error, program));
  const root = commandGroup(program, context, onExitCode);
  program.commandsGroup('Service and data commands:');
  addServerCommands(root);
  program.commandsGroup('Store commands (over HTTP, with version 2 of the API, in beta):');
  addStoreCommands(root);
  addInspectCommands(root);
  program.commandsGroup('Checks:');
  addCheckCommands(root);
  program.commandsGroup('Additional commands:');
  addCompletion(root, context);
  program.helpCommand('help [COMMAND]', 'Print help for a command');
  return program;
}
