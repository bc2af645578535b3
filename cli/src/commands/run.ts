import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { environmentWith } from '../../../checks/src/engine/command-environment.ts';
import { createClient, PetStoreError, type ResetInput } from '../../../client/src/index.ts';
import { resetTimeouts } from '../../../client/src/time.ts';
import { programArgs } from '../../../server/src/commands/child-process.ts';
import { UsageError } from '../../../server/src/config/usage-error.ts';
import type { Call } from '../command-group.ts';
import { InternalFailure } from '../internal-failure.ts';
import { contentsOf } from '../store-contents.ts';
import type { StartupResult } from './private-service.ts';

/** Exit code of shells for a command that cannot be started. */
const CANNOT_START = 127;
/** Exit code of `env`, `nohup` and `timeout` when they fail themselves. */
const SERVICE_FAILED = 125;

/** Runs a command with a private service and returns the command's exit code. */
export async function run(call: Call): Promise<number> {
  const { args: command, values } = call;
  if (command.length === 0) throw new UsageError('run requires a command: petstore run -- COMMAND…');
  const contents = requestedContents(call);
  const service = startService(String(values.deployment ?? 'staging'));
  try {
    const { address, key } = await service.ready;
    if (contents) await fill(address, key, contents);
    const variables = { PETSTORE_URL: `${address}/v1`, PETSTORE_V2_URL: `${address}/v2`, PETSTORE_KEY: key };
    return await runWithService(command, variables, call, (pid) => service.process.send({ pid }));
  } finally {
    if (service.process.connected) service.process.disconnect();
    await service.ended.catch(() => {});
  }
}

/** Runs the service in a child process. If this process is killed, the child kills the command and exits. */
function startService(deployment: string) {
  const child = spawn(process.execPath, [...programArgs(), 'private-service', deployment], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  const reported = once(child, 'message').then(([result]) => result as StartupResult);
  const exitedEarly = ended.then(
    ([code, signal]): StartupResult => ({
      failed: `its process ${signal === null ? `exited with code ${code}` : `was killed by ${signal}`}`,
    }),
  );
  const ready = Promise.race([reported, exitedEarly])
    .catch((error: Error): StartupResult => ({ failed: error.message }))
    .then((result) => {
      if ('address' in result) return result;
      const message = `the service could not be started: ${result.failed}`;
      throw new InternalFailure(SERVICE_FAILED, { message });
    });
  // Sending a message to a service that has just exited fails. Without this listener, that would end the process.
  child.on('error', () => {});
  return { process: child, ready, ended };
}

async function runWithService(
  [file = '', ...args]: readonly string[],
  variables: Readonly<Record<string, string>>,
  { env, stdin, stderr }: Call,
  reportPid: (pid: number | undefined) => void,
): Promise<number> {
  // A terminal signals its whole foreground group. Elsewhere, the command leads a process group of its own.
  const inTerminal = stdin.isTTY === true;
  const child = spawn(file, args, {
    stdio: 'inherit',
    env: environmentWith(variables, env),
    detached: !inTerminal && process.platform !== 'win32',
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => (signal === 'SIGINT' && inTerminal) || child.kill(signal));
  if (child.pid !== undefined) reportPid(inTerminal ? child.pid : -child.pid);
  try {
    const [code, signal] = (await once(child, 'exit')) as [number, null] | [null, NodeJS.Signals];
    if (inTerminal) reportPid(undefined);
    return signal === null ? code : 128 + constants.signals[signal];
  } catch (error) {
    stderr.write(`petstore: cannot run ${file}: ${(error as Error).message}\n`);
    return CANNOT_START;
  }
}

function requestedContents(call: Call): ResetInput | undefined {
  const { deployment } = call.values;
  if (deployment !== undefined && deployment !== 'staging' && deployment !== 'production')
    throw new UsageError(`invalid --deployment '${deployment}': must be production or staging`);
  const contents = contentsOf(call);
  if (deployment === 'production' && contents)
    throw new UsageError(
      '--data, --data-set, --seed, --orders and --today require staging; production always starts with the demo data',
    );
  return contents;
}

async function fill(baseUrl: string, key: string, contents: ResetInput): Promise<void> {
  try {
    await createClient({ ...resetTimeouts, baseUrl, key }).sandbox.reset(contents);
  } catch (error) {
    if (!(error instanceof PetStoreError)) throw error;
    const details = error.status === undefined ? '' : ` (${error.status} ${error.code})`;
    throw new UsageError(`could not load the data: ${error.message}${details}`);
  }
}
