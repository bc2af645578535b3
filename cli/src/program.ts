import { Command, CommanderError, type Option } from 'commander';
import about from '../package.json' with { type: 'json' };
import { addCheckCommands } from './check-commands.ts';
import { addCompletion } from './completion.ts';
import { examples, exitCodes } from './help.ts';
import { addInspectCommands } from './inspect-commands.ts';
import { endWhenReaderLeaves, print } from './output.ts';
import { explainMistake, placeOf } from './place.ts';
import { addServerCommands } from './server-commands.ts';
import { addStoreCommands } from './store-commands.ts';

/** Runs the command that the arguments name. A mistake in them is a `UsageError`. */
export async function run(args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const program = buildProgram(env);
  if (args.length === 0) return program.outputHelp();
  try {
    await program.parseAsync([...args], { from: 'user' });
  } catch (error) {
    // Asked for help or the version, the library ends by an error as well.
    if (!(error instanceof CommanderError) || error.exitCode !== 0) throw error;
  }
}

function writeHelp(text: string): void {
  endWhenReaderLeaves();
  print(text).catch(() => {
    process.exitCode = 1;
  });
}

/** What the groups of a command have in common; `--version` is nothing to a command. */
function optionsAbove({ parent }: Command): Option[] {
  if (!parent?.parent) return [];
  return [...parent.options.filter(({ hidden }) => !hidden), ...optionsAbove(parent)];
}

export function buildProgram(env: NodeJS.ProcessEnv): Command {
  const program = new Command('petstore')
    .description('An order service that does exactly what its document says, and its client.')
    .version(about.version, '--version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .enablePositionalOptions()
    .configureOutput({ writeErr: () => {}, writeOut: writeHelp })
    .configureHelp({ showGlobalOptions: true, visibleGlobalOptions: optionsAbove })
    .addHelpText('after', examples + exitCodes);
  program.exitOverride((error) => explainMistake(error, program));
  const root = placeOf(program, env);
  program.commandsGroup('The service and its data:');
  addServerCommands(root);
  program.commandsGroup('A store, over HTTP:');
  addStoreCommands(root);
  addInspectCommands(root);
  program.commandsGroup('Clients and test suites:');
  addCheckCommands(root);
  program.commandsGroup('This command line:');
  addCompletion(root, env);
  program.helpCommand('help [COMMAND]', 'print the help of a command');
  return program;
}
