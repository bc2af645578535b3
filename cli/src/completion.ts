import type { Command } from 'commander';
import { UsageError } from '../../server/src/config/usage-error.ts';
import type { CommandContext, CommandGroup } from './command-group.ts';
import { choicesOf } from './flags.ts';
import { print } from './output.ts';
import { readProfiles } from './profiles.ts';

/** Each script calls `petstore complete`, so an installed script never goes out of date. */
const scripts: Readonly<Record<string, string>> = {
  bash: `_petstore() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(petstore complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _petstore petstore
`,
  zsh: `#compdef petstore
_petstore() {
  local -a found
  found=(\${(f)"$(petstore complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if (( \${#found} )); then compadd -- $found; else _files; fi
}
# Autoloaded from fpath, this file is the function body; otherwise it is sourced.
if [[ $funcstack[1] == _petstore ]]; then _petstore "$@"; else compdef _petstore petstore; fi
`,
  fish: `function __petstore
    set -l words (commandline -opc) (commandline -ct)
    set -l found (petstore complete -- $words[2..-1] 2>/dev/null)
    if test -n "$found[1]"
        printf '%s\\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c petstore -f -a '(__petstore)'
`,
};

/** `completion SHELL`, and the hidden `complete` command that its scripts call. */
export function addCompletion(root: CommandGroup, context: CommandContext): void {
  // Without Intl, whose first use takes longer than the rest of this function.
  const shells = Object.keys(scripts)
    .join(', ')
    .replace(/, (?=\w+$)/, ' or ');
  root
    .add('completion <SHELL>', `Print a completion script for ${shells}`, {}, async (call) => {
      const [shell = ''] = call.args;
      const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
      if (!script) throw new UsageError(`unsupported shell '${shell}': must be ${shells}`);
      await print(script, call);
    })
    .addHelpText('after', completionHelp);
  const complete = root.command.command('complete [WORDS...]', { hidden: true });
  complete.action((words: string[] = []) =>
    print(`${completionsOf(root.command, words, context.env).join('\n')}\n`, context),
  );
}

const completionHelp = `
To install it:
  bash   petstore completion bash > ~/.local/share/bash-completion/completions/petstore
  zsh    petstore completion zsh > "\${fpath[1]}/_petstore"
  fish   petstore completion fish > ~/.config/fish/completions/petstore.fish
`;

/** Words that complete the last one. */
function completionsOf(root: Command, words: readonly string[], env: NodeJS.ProcessEnv): string[] {
  const last = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  let command = root;
  for (const word of before)
    command = command.commands.find((subcommand) => subcommand.name() === word) ?? command;
  const options = optionsOf(command);
  const option = options.find(({ long }) => long === before.at(-1));
  if (option && !option.isBoolean()) {
    const values =
      option.long === '--profile' ? Object.keys(readProfiles(env)) : (choicesOf.get(option) ?? []);
    return values.filter((word) => word.startsWith(last));
  }
  const names = command
    .createHelp()
    .visibleCommands(command)
    .map((subcommand) => subcommand.name());
  const flags = options.filter(({ hidden }) => !hidden).map(({ long }) => String(long));
  const all = last.startsWith('-') ? [...flags, '--help'] : names;
  return all.filter((word) => word.startsWith(last));
}

function optionsOf(command: Command): Command['options'] {
  return command.parent ? [...command.options, ...optionsOf(command.parent)] : command.options;
}
