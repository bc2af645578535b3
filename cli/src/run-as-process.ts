import { Interrupted } from './interrupted.ts';
import { main } from './main.ts';

const LAST_FLUSH_MS = 1_000;

/** Runs the CLI as this process. The only place that reads `process`. */
export async function runAsProcess(): Promise<void> {
  const { argv, env, stdin, stdout, stderr } = process;
  // Writers handle their own failures.
  stdout.on('error', () => {});
  const interrupted = new AbortController();
  const listen = () => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => interrupted.abort(new Interrupted(signal)));
  };
  let isListening = false;
  const interruption = () => {
    if (!isListening) listen();
    isListening = true;
    return interrupted.signal;
  };

  const setCrashCode = (code: number) => {
    process.on('uncaughtException', (error) => {
      stderr.write(`petstore: ${error.stack}\n`);
      process.exit(code);
    });
  };

  const context = { env, stdin, stdout, stderr, interruption, setCrashCode };
  process.exitCode = await main(argv.slice(2), context);
  // Re-raise the signal, so that the parent sees it as the cause of death.
  if (interrupted.signal.aborted) process.kill(process.pid, interrupted.signal.reason.signal);
  // Commands await their writes. Remaining output was abandoned, and its reader may never drain it.
  if (stdout.writableLength > 0) setTimeout(() => process.exit(), LAST_FLUSH_MS).unref();
}
