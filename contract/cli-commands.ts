import { readFileSync, writeFileSync } from 'node:fs';
import { buildProgram } from '../cli/src/program.ts';

/** Writes the table of commands in docs/CLI.md from the program; with --check, fails if the committed one differs. */

type Command = ReturnType<typeof buildProgram>;

const { stdin, stdout, stderr } = process;
const program = buildProgram({
  env: {},
  stdin,
  stdout,
  stderr,
  interruption: () => new AbortController().signal,
  setCrashCode() {},
});

const subcommandsOf = (command: Command) =>
  command
    .createHelp()
    .visibleCommands(command)
    .filter((one) => one.name() !== 'help');

/** One row per command that does something; a group contributes its subcommands. */
function rowsOf(command: Command, path = ''): string[] {
  const name = `${path}${command.name()}`;
  const subcommands = subcommandsOf(command);
  if (subcommands.length > 0) return subcommands.flatMap((one) => rowsOf(one, `${name} `));
  const usage = [name, ...command.registeredArguments.map(argumentOf)].join(' ');
  return [`| \`${usage}\` | ${command.description()} |`];
}

function argumentOf(argument: Command['registeredArguments'][number]): string {
  const shown = `${argument.name()}${argument.variadic ? '…' : ''}`.replaceAll('|', ' or ');
  return argument.required ? shown : `[${shown}]`;
}

const groups = Map.groupBy(subcommandsOf(program), (command) => command.helpGroup().replace(/:$/, ''));
const table = [...groups].map(([heading, commands]) =>
  [`| ${heading} | |`, '|---|---|', ...commands.flatMap((command) => rowsOf(command))].join('\n'),
);

const file = new URL('../docs/CLI.md', import.meta.url);
const before = readFileSync(file, 'utf8');
const place = /(<!-- commands: npm run contract -->\n).*?(\n<!-- end of commands -->)/s;
if (!place.test(before)) throw new Error('docs/CLI.md lacks the markers for the table of commands');
const after = before.replace(place, (_, begin, end) => begin + table.join('\n\n') + end);
if (!process.argv.includes('--check')) writeFileSync(file, after);
else if (after !== before) {
  console.error('docs/CLI.md differs from the program; run: npm run contract');
  process.exitCode = 1;
}
