import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { writeJson } from '../../../client/src/json.ts';
import { program } from '../../../server/src/commands/own-process.ts';
import { UsageError } from '../../../server/src/config/usage-error.ts';
import { environmentWith } from '../command-environment.ts';
import { countFrom, int64From } from '../numbers.ts';
import type { Call } from '../place.ts';
import type { Ready } from './private-service.ts';

/** What a shell ends with for a command that it cannot start. */
const CANNOT_START = 127;

/** Runs a command beside a service of its own, and ends with what the command ends with. */
export async function run(call: Call): Promise<void> {
  const { args: command, values } = call;
  if (command.length === 0) throw new UsageError('run needs a command: petstore run -- COMMAND…');
  const data = dataOf(call);
  const service = startService(String(values.deployment ?? 'staging'));
  try {
    const { address, key } = await service.ready;
    if (data !== undefined) await fill(address, key, data);
    const env = { PETSTORE_URL: `${address}/v1`, PETSTORE_V2_URL: `${address}/v2`, PETSTORE_KEY: key };
    process.exitCode = await runBeside(command, env, (pid) => service.process.send({ pid }));
  } finally {
    if (service.process.connected) service.process.disconnect();
    await service.ended;
  }
}

/** The service stands in another process, which ends, and ends the command, also when this one is killed. */
function startService(deployment: string) {
  const child = spawn(process.execPath, [...program(), 'private-service', deployment], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  const ready = Promise.race([
    once(child, 'message').then(([message]) => message as Ready),
    ended.then(() => Promise.reject(new UsageError('the service could not be started'))),
  ]);
  return { process: child, ready, ended };
}

async function runBeside(
  [file = '', ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
  tell: (pid: number | undefined) => void,
): Promise<number> {
  // A terminal sends what is typed to everything that it shows; elsewhere the command is the head of its own group.
  const inTerminal = process.stdin.isTTY === true;
  const child = spawn(file, args, {
    stdio: 'inherit',
    env: environmentWith(env),
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
    console.error(`petstore: cannot run ${file}: ${(error as Error).message}`);
    return CANNOT_START;
  }
}

/** The body of the reset that fills the store. A file is sent as it is: its ids stay exact. */
function dataOf({ values }: Call): string | undefined {
  const { data, 'data-set': dataSet, seed, orders, today, deployment } = values;
  const isSetGiven = [dataSet, seed, orders, today].some((value) => value !== undefined);
  if (deployment !== undefined && deployment !== 'staging' && deployment !== 'production')
    throw new UsageError(`--deployment is '${deployment}': it must be production or staging`);
  if (deployment === 'production' && (data !== undefined || isSetGiven))
    throw new UsageError(
      '--data, --data-set, --seed, --orders and --today are for staging: production begins with the demonstration data',
    );
  if (data !== undefined && isSetGiven)
    throw new UsageError(
      '--data is instead of a data set, and of its --seed, --orders and --today: give one of them',
    );
  if (data !== undefined) return `{"data":${read(String(data))}}`;
  if (!isSetGiven) return undefined;
  return writeJson({
    dataSet: dataSet ?? 'default',
    seed: seed === undefined ? undefined : int64From('--seed', seed, -(2n ** 63n)),
    orders: orders === undefined ? undefined : countFrom('--orders', orders, 1, 1_000_000),
    today,
  });
}

function read(file: string): string {
  try {
    const text = readFileSync(file, 'utf8');
    JSON.parse(text);
    return text;
  } catch (error) {
    throw new UsageError(`--data is '${file}': ${(error as Error).message}`);
  }
}

async function fill(address: string, key: string, body: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const answer = await fetch(`${address}/v2/sandbox/reset`, { method: 'POST', headers, body });
  if (answer.ok) return void (await answer.arrayBuffer());
  const { code, message } = (await answer.json()) as { code: string; message: string };
  throw new UsageError(`the store cannot be filled: ${message} (${answer.status} ${code})`);
}
