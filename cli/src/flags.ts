import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import type { Flag } from '../../server/src/config/flags.ts';
import { UsageError } from '../../server/src/config/usage-error.ts';

/** A flag of the command line. One with a variable can also be set by it; the flag wins. */
export type CliFlag = Flag & {
  readonly variable?: boolean;
  /** The command cannot do without it. */
  readonly required?: boolean;
  /** Left out of the help: the command knows it only to refuse it. */
  readonly hidden?: boolean;
};
export type Values = Readonly<Record<string, string | boolean>>;

export function variableOf(name: string): string {
  return `PETSTORE_${name.toUpperCase().replaceAll('-', '_')}`;
}

/** The choices of an option, which the library itself must not check: what is wrong is told in our words. */
export const choicesOf = new WeakMap<Option, readonly string[]>();
const variables = new WeakMap<Option, string>();
const secrets = new WeakSet<Option>();

/** Declares flags on a command; every switch can also be turned off, `--no-…`. */
export function addFlags(command: Command, flags: Readonly<Record<string, CliFlag>>): Command {
  for (const [name, flag] of Object.entries(flags)) {
    const { value, help, variable = true, choices, secret = false, required = false, hidden = false } = flag;
    const named = `[${variableOf(name)}${secret ? ' or …_FILE' : ''}]`;
    const text = [help, required && '(required)', variable && named].filter(Boolean).join(' ');
    const option = new Option(value === undefined ? `--${name}` : `--${name} <${value}>`, text);
    if (hidden) option.hideHelp();
    if (choices) choicesOf.set(option, choices);
    if (variable) variables.set(option, variableOf(name));
    if (secret) secrets.add(option);
    if (value !== undefined) option.argParser((given: string) => checked(name, given));
    command.addOption(option);
    if (value === undefined) command.addOption(new Option(`--no-${name}`).hideHelp());
  }
  return command;
}

/** What begins with two dashes is the next flag, and not the value of this one. */
function checked(name: string, given: string): string {
  if (given.startsWith('--')) throw new UsageError(`--${name} needs a value, and '${given}' is another flag`);
  return given;
}

/** The flags that a command was called with, and those set by variables, by their names. */
export function valuesOf(command: Command, env: NodeJS.ProcessEnv): { given: Values; values: Values } {
  const all = command.optsWithGlobals();
  const given: Record<string, string | boolean> = {};
  const values: Record<string, string | boolean> = {};
  for (let at: Command | null = command; at; at = at.parent) {
    for (const option of at.options) {
      if (option.negate) continue;
      const name = option.name();
      const variable = variables.get(option);
      const text = variable && textOf(variable, env, secrets.has(option));
      if (text) values[name] = option.isBoolean() ? asSwitch(String(variable), text) : text;
      const flag = all[option.attributeName()];
      if (flag !== undefined) values[name] = given[name] = flag;
    }
  }
  return { given, values };
}

/** What a variable says, or the file does that `…_FILE` names: its text without the line's end. */
function textOf(variable: string, env: NodeJS.ProcessEnv, isSecret: boolean): string | undefined {
  const [text, file] = [env[variable], isSecret ? env[`${variable}_FILE`] : undefined];
  if (!file) return text;
  if (text) throw new UsageError(`${variable} and ${variable}_FILE are both set: one must go`);
  try {
    return readFileSync(file, 'utf8').trimEnd();
  } catch (error) {
    throw new UsageError(`${variable}_FILE is '${file}', which cannot be read: ${(error as Error).message}`);
  }
}

function asSwitch(variable: string, text: string): boolean {
  if (/^(1|true|yes|on)$/i.test(text)) return true;
  if (/^(0|false|no|off)$/i.test(text)) return false;
  throw new UsageError(`${variable} is '${text}': it must be true or false`);
}
