import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { createClient, PetStoreError, type ResetInput } from '../../../client/src/index.ts';
import { patientWithReset } from '../../../client/src/time.ts';
import { program } from '../../../server/src/commands/own-process.ts';
import { UsageError } from '../../../server/src/config/usage-error.ts';
import { environmentWith } from '../command-environment.ts';
import { OwnFailure } from '../own-failure.ts';
import type { Call } from '../place.ts';
import { contentsOf } from '../store-contents.ts';
import type { Started } from './private-service.ts';

/** What a shell ends with for a command that it cannot start. */
const CANNOT_START = 127;
/** As `env`, `nohup` and `timeout` end when they themselves fail, and not the command that they run. */
const SERVICE_FAILED = 125;

/** Runs a command beside a service of its own, and ends with what the command ends with. */
export async function run(call: Call): Promise<number> {
  const { args: command, values } = call;
  if (command.length === 0) throw new UsageError('run needs a command: petstore run -- COMMAND…');
  const contents = dataOf(call);
  const service = startService(String(values.deployment ?? 'staging'));
  try {
    const { address, key } = await service.ready;
    if (contents) await fill(address, key, contents);
    const own = { PETSTORE_URL: `${address}/v1`, PETSTORE_V2_URL: `${address}/v2`, PETSTORE_KEY: key };
    return await runBeside(command, own, call, (pid) => service.process.send({ pid }));
  } finally {
    if (service.process.connected) service.process.disconnect();
    await service.ended.catch(() => {});
  }
}

/** The service stands in another process, which ends, and ends the command, also when this one is killed. */
function startService(deployment: string) {
  const child = spawn(process.execPath, [...program(), 'private-service', deployment], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  const reported = once(child, 'message').then(([started]) => started as Started);
  const early = ended.then(
    ([code, signal]): Started => ({
      failed: `its process ${signal === null ? `ended with code ${code}` : `was ended by ${signal}`}`,
    }),
  );
  const ready = Promise.race([reported, early])
    .catch((error: Error): Started => ({ failed: error.message }))
    .then((started) => {
      if ('address' in started) return started;
      const message = `the service could not be started: ${started.failed}`;
      throw new OwnFailure(SERVICE_FAILED, { message });
    });
  // A message to a service that has ended meanwhile cannot be sent; the command notices on its own.
  child.on('error', () => {});
  return { process: child, ready, ended };
}

async function runBeside(
  [file = '', ...args]: readonly string[],
  own: Readonly<Record<string, string>>,
  { env, stdin, stderr }: Call,
  tell: (pid: number | undefined) => void,
): Promise<number> {
  // A terminal sends what is typed to everything that it shows; elsewhere the command is the head of its own group.
  const inTerminal = stdin.isTTY === true;
  const child = spawn(file, args, {
    stdio: 'inherit',
    env: environmentWith(own, env),
    detached: !inTerminal && process.platform !== 'win32',
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => (signal === 'SIGINT' && inTerminal) || child.kill(signal));
  if (child.pid !== undefined) tell(inTerminal ? child.pid : -child.pid);
  try {
    const [code, signal] = (await once(child, 'exit')) as [number, null] | [null, NodeJS.Signals];
    if (inTerminal) tell(undefined);
    return signal === null ? code : 128 + constants.signals[signal];
  } catch (error) {
    stderr.write(`petstore: cannot run ${file}: ${(error as Error).message}\n`);
    return CANNOT_START;
  }
}

/** What the store is filled with. */
function dataOf(call: Call): ResetInput | undefined {
  const { deployment } = call.values;
  if (deployment !== undefined && deployment !== 'staging' && deployment !== 'production')
    throw new UsageError(`--deployment is '${deployment}': it must be production or staging`);
  const contents = contentsOf(call);
  if (deployment === 'production' && contents)
    throw new UsageError(
      '--data, --data-set, --seed, --orders and --today are for staging: production begins with the demonstration data',
    );
  return contents;
}

async function fill(baseUrl: string, key: string, contents: ResetInput): Promise<void> {
  try {
    await createClient({ ...patientWithReset, baseUrl, key }).sandbox.reset(contents);
  } catch (error) {
    if (!(error instanceof PetStoreError)) throw error;
    const told = error.status === undefined ? '' : ` (${error.status} ${error.code})`;
    throw new UsageError(`the store cannot be filled: ${error.message}${told}`);
  }
}
