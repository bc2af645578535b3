import { type RunningCommand, startCommand } from '../engine/start-command.ts';

/** Time that the gateway has to shut down before it is killed. */
const GRACE_MS = 3_000;

/** Runs the command, and ends its process group if the check exits for any reason. */
const runWithWatchdog = `parent=$PPID
(while kill -0 "$parent" 2>/dev/null; do sleep 1; done; kill -TERM 0; sleep 2; kill -KILL 0) </dev/null >/dev/null 2>&1 &
exec "$@"`;

/** Starts the gateway with the origin's address. Disposing stops it: SIGTERM, then SIGKILL. */
export function startGateway(
  command: readonly string[],
  port: number,
  env: NodeJS.ProcessEnv,
): RunningCommand {
  const started = startCommand(['/bin/sh', '-c', runWithWatchdog, 'sh', ...command], {
    env,
    variables: { PETSTORE_ORIGIN: `http://127.0.0.1:${port}`, PETSTORE_ORIGIN_PORT: String(port) },
    // Never aborted: an interrupted check disposes the gateway, which gives it a grace period.
    interruption: new AbortController().signal,
  });
  return {
    ...started,
    async [Symbol.asyncDispose]() {
      started.kill('SIGTERM');
      const timer = setTimeout(() => started.kill('SIGKILL'), GRACE_MS);
      await started.ended.catch(() => {});
      clearTimeout(timer);
    },
  };
}
