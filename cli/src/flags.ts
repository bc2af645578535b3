import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import type { Flag } from '../../server/src/config/flags.ts';
import { UsageError } from '../../server/src/config/usage-error.ts';

/** A command-line flag. With `variable`, an environment variable sets it too; the flag takes precedence. */
export type CliFlag = Flag & {
  readonly variable?: boolean;
  readonly required?: boolean;
  /** Hidden from the help: an alias, or a flag that the command rejects with a helpful message. */
  readonly hidden?: boolean;
};
export type Values = Readonly<Record<string, string | boolean>>;

export function variableOf(name: string): string {
  return `PETSTORE_${name.toUpperCase().replaceAll('-', '_')}`;
}

/** The choices of an option, for completion. Commander does not check them: commands report their own errors. */
export const choicesOf = new WeakMap<Option, readonly string[]>();
const variables = new WeakMap<Option, string>();
const secrets = new WeakSet<Option>();

/** Declares flags on a command. Each boolean flag also gets a `--no-…` form. */
export function addFlags(command: Command, flags: Readonly<Record<string, CliFlag>>): Command {
  for (const [name, flag] of Object.entries(flags)) {
    const { value, help, variable = true, choices, secret = false, required = false, hidden = false } = flag;
    const variableNote = `[${variableOf(name)}${secret ? ' or …_FILE' : ''}]`;
    const text = [help, required && '(required)', variable && variableNote].filter(Boolean).join(' ');
    const option = new Option(value === undefined ? `--${name}` : `--${name} <${value}>`, text);
    if (hidden) option.hideHelp();
    if (choices) choicesOf.set(option, choices);
    if (variable) variables.set(option, variableOf(name));
    if (secret) secrets.add(option);
    if (value !== undefined) option.argParser((given: string) => rejectFlagAsValue(name, given));
    command.addOption(option);
    if (value === undefined) command.addOption(new Option(`--no-${name}`).hideHelp());
  }
  return command;
}

/** Returns the value, unless it starts with two dashes: the actual value is missing. */
function rejectFlagAsValue(name: string, given: string): string {
  if (given.startsWith('--')) throw new UsageError(`--${name} needs a value, but got the flag '${given}'`);
  return given;
}

/** The flags of an invocation by name: given ones, and those set by environment variables. */
export function valuesOf(command: Command, env: NodeJS.ProcessEnv): { given: Values; values: Values } {
  const all = command.optsWithGlobals();
  const given: Record<string, string | boolean> = {};
  const values: Record<string, string | boolean> = {};
  for (let at: Command | null = command; at; at = at.parent) {
    for (const option of at.options) {
      if (option.negate) continue;
      const name = option.name();
      const variable = variables.get(option);
      const set =
        variable && (option.isBoolean() ? booleanOf(name, env) : textOf(variable, env, secrets.has(option)));
      if (set !== undefined && set !== '') values[name] = set;
      const flag = all[option.attributeName()];
      if (flag !== undefined) values[name] = given[name] = flag;
    }
  }
  return { given, values };
}

/** The value of a variable, or the content of the file that `…_FILE` names, without trailing newlines. */
function textOf(variable: string, env: NodeJS.ProcessEnv, isSecret: boolean): string | undefined {
  const [text, file] = [env[variable], isSecret ? env[`${variable}_FILE`] : undefined];
  if (!file) return text;
  if (text) throw new UsageError(`${variable} and ${variable}_FILE are both set; unset one`);
  try {
    return readFileSync(file, 'utf8').trimEnd();
  } catch (error) {
    throw new UsageError(`cannot read ${variable}_FILE '${file}': ${(error as Error).message}`);
  }
}

/** A boolean flag from its variable, or from the variable of its `--no-…` form. */
function booleanOf(name: string, env: NodeJS.ProcessEnv): boolean | undefined {
  const [variable, opposite] = [variableOf(name), variableOf(`no-${name}`)];
  const [text, negated] = [env[variable], env[opposite]];
  if (text && negated) throw new UsageError(`${variable} and ${opposite} are both set; unset one`);
  if (negated) return !parseBoolean(opposite, negated);
  return text ? parseBoolean(variable, text) : undefined;
}

function parseBoolean(variable: string, text: string): boolean {
  if (/^(1|true|yes|on)$/i.test(text)) return true;
  if (/^(0|false|no|off)$/i.test(text)) return false;
  throw new UsageError(`invalid ${variable} '${text}': must be true or false`);
}
