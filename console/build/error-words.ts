import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const source = fileURLToPath(new URL('../../docs/ERRORS.md', import.meta.url));
const ID = 'petstore:errors';

/** The cause and remedy of every error code, parsed from the guide. */
export function errorWords(text = readFileSync(source, 'utf8')): Record<string, readonly [string, string]> {
  const found = text.matchAll(
    /^### `(\w+)`\n\*\*Cause:\*\* ([\s\S]+?)\n\n\*\*Remedy:\*\* ([\s\S]+?)\n(?:\n|$)/gm,
  );
  return Object.fromEntries(
    Array.from(found, ([, code = '', ...words]) => {
      const [cause = '', remedy = ''] = words.map((part) => part.replaceAll('\n', ' ').replaceAll('`', ''));
      return [code, [cause, remedy]];
    }),
  );
}

/** Provides them as the virtual module `petstore:errors`. */
export function importErrorWords(): Plugin {
  return {
    name: 'petstore:error-words',
    resolveId: (id) => (id === ID ? `\0${ID}` : undefined),
    load(id) {
      if (id !== `\0${ID}`) return undefined;
      this.addWatchFile(source);
      return `export default ${JSON.stringify(errorWords())};`;
    },
  };
}
