import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const source = fileURLToPath(new URL('../src/landing/recorded.json', import.meta.url));
const ID = 'petstore:recorded';

/** The contents of `recorded.json`. */
export interface Recorded {
  /** The day of the recording. */
  readonly day: string;
  readonly calls: ReadonlyArray<{
    readonly method: string;
    readonly path: string;
    readonly status: number;
    readonly body: string;
  }>;
  readonly command: string;
  /** Lines of the terminal, each with its time since the start. */
  readonly run: ReadonlyArray<{ readonly ms: number; readonly line: string }>;
}

/** The recorded responses as the landing page shows them: of the list, the first order. */
function recordedResponses({ calls }: Pick<Recorded, 'calls'> = read()) {
  const [list, cancel, shipped] = calls.map(({ status, body }) => {
    const value: unknown = body && JSON.parse(body);
    if (!Array.isArray(value)) return `${status}${body && `\n${JSON.stringify(value, null, 2)}`}`;
    const [first] = value;
    const order = JSON.stringify([first], null, 2).slice(0, -2);
    return `${status}\n${order},\n  … ${value.length - 1} more\n]`;
  });
  return { list, cancel, shipped };
}

const read = (): Recorded => JSON.parse(readFileSync(source, 'utf8'));

/** A command that breaks after spaces and commas only. */
const breakable = (command: string) =>
  command
    .split(/(?<=[ ,])/)
    .map((word) => `<span class="terminal-word">${escaped(word)}</span>`)
    .join('<wbr>');

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function terminalLine({ ms, line }: Recorded['run'][number]): string {
  const [, verdict = '', rest = line] = /^(PASS|FAIL|SKIP)( .*)$/.exec(line) ?? [];
  const mark = verdict && `<b class="${verdict.toLowerCase()}">${verdict}</b>`;
  return `<span data-ms="${ms}">${mark}${escaped(rest)}\n</span>`;
}

/** Puts the recordings of `npm run record` into the landing page, and provides them as `petstore:recorded`. */
export function showRecordings(): Plugin {
  return {
    name: 'petstore:recordings',
    resolveId: (id) => (id === ID ? `\0${ID}` : undefined),
    load(id) {
      if (id !== `\0${ID}`) return undefined;
      this.addWatchFile(source);
      return `export default ${JSON.stringify(recordedResponses())};`;
    },
    transformIndexHtml: {
      order: 'pre',
      handler: (html) =>
        html
          .replace('<!-- recorded: list -->', () => escaped(recordedResponses().list ?? ''))
          .replace('<!-- recorded: command -->', () => `$ ${breakable(read().command)}`)
          .replace('<!-- recorded: run -->', () => read().run.map(terminalLine).join('')),
    },
  };
}
