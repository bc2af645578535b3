import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Ended } from '../../support/program.ts';

const main = fileURLToPath(new URL('../../../src/main.js', import.meta.url));

/** Starts the real program with something to read from its standard input. */
export function startFed(args: readonly string[]): {
  child: ChildProcessWithoutNullStreams;
  ended: Promise<Ended>;
} {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(PETSTORE_|NODE_OPTIONS$)/.test(name));
  const child = spawn(process.execPath, [main, ...args], { env: Object.fromEntries(inherited) });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  // It may refuse before it has read everything.
  child.stdin.on('error', () => {});
  return {
    child,
    ended: once(child, 'close').then(([code]) => ({ code: code as number | null, ...output })),
  };
}

/** Runs the real program to its end, with a text for it to read. */
export function runFed(args: readonly string[], text = ''): Promise<Ended> {
  const { child, ended } = startFed(args);
  child.stdin.end(text);
  return ended;
}
