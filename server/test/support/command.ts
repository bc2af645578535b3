import { EventEmitter, once } from 'node:events';
import { Readable, Writable } from 'node:stream';
import type { CommandContext } from '../../../cli/src/command-group.ts';
import { Interrupted } from '../../../cli/src/interrupted.ts';
import { main } from '../../../cli/src/main.ts';
import { type Ended, inheritedEnvironment } from './program.ts';

interface CommandOptions {
  readonly env?: Record<string, string>;
  /** Its standard input. */
  readonly input?: string | Uint8Array;
  /** Its output stream, if not collected. */
  readonly stdout?: Writable;
}

/** The context of a command in this process; it inherits only what a spawned program would. */
export function testContext({ env = {}, input = '', stdout }: CommandOptions = {}) {
  const output = { stdout: '', stderr: '' };
  const interrupted = new AbortController();
  const changes = new EventEmitter();
  const collect = (name: keyof typeof output) =>
    new Writable({
      write(chunk: Buffer, _, done) {
        output[name] += chunk.toString();
        changes.emit('output');
        done();
      },
    });
  const context: CommandContext = {
    env: { ...inheritedEnvironment(), ...env },
    stdin: Readable.from([Buffer.from(input)]),
    stdout: stdout ?? collect('stdout'),
    stderr: collect('stderr'),
    interruption: () => interrupted.signal,
    setCrashCode: () => {},
  };
  return { context, output, changes, interrupt: () => interrupted.abort(new Interrupted('SIGTERM')) };
}

/** Runs the command line in this process, to its end. */
export async function runCommand(args: readonly string[], options: CommandOptions = {}): Promise<Ended> {
  const { context, output } = testContext(options);
  return { code: await main(args, context), ...output };
}

/** Starts a command that runs until it is interrupted. */
export function startCommand(args: readonly string[], options: CommandOptions = {}) {
  const { context, output, changes, interrupt } = testContext(options);
  const ended = main(args, context).then((code) => ({ code, ...output }));
  return {
    output,
    ended,
    /** Resolves once the output contains the text, or the command has ended. */
    async written(name: keyof typeof output, text: string): Promise<void> {
      const isOver = ended.then(() => true);
      while (!output[name].includes(text))
        if ((await Promise.race([isOver, once(changes, 'output')])) === true) return;
    },
    async [Symbol.asyncDispose]() {
      interrupt();
      await ended;
    },
  };
}

/** Standard output whose writes fail, as on a closed pipe or a full disk; the first ones may succeed. */
export function failingOutput(code: 'EPIPE' | 'ENOSPC', successfulWrites = 0): Writable {
  let left = successfulWrites;
  const stream = new Writable({
    write(_chunk, _, done) {
      left -= 1;
      done(left < 0 ? Object.assign(new Error(`write ${code}`), { code }) : null);
    },
  });
  return stream.on('error', () => {});
}
