import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type App, buildApp, GRACE_MS } from '../app.ts';
import type { ServerCommand } from '../config/flags.ts';
import { isLoopback } from '../config/loopback.ts';
import { type ServeConfig, serveConfigFrom } from '../config/serve-config.ts';
import type { ServingMark } from '../database/serving-mark.ts';
import type { DeploymentName } from '../deployment.ts';
import { type Log, openLog } from '../log.ts';
import { type OpenDeployment, openDeployment } from '../open-deployment.ts';
import type { Job } from '../writer/background.ts';
import { announce, withdraw } from './announce.ts';
import { backUpRegularly } from './back-up-regularly.ts';
import { checkAfterCrash } from './check-after-crash.ts';
import { connectionsOf } from './connections-allowed.ts';
import { demonstrationKey } from './demonstration-account.ts';
import { endWhenHanging } from './end-when-hanging.ts';
import type { FellowWorkers } from './fellow-workers.ts';
import { markDeployment, tellMigrated } from './opening-lines.ts';
import { originOf } from './origin.ts';
import { inOwnProcess } from './own-process.ts';
import { serversOf } from './servers.ts';

/** Connections get this long to be left by their clients, each of whom is told so with its next answer. */
const LEAVE_MS = 1_000;
/** Whatever then keeps the service from ending, such as a disk that does not answer, is left behind. */
const LONGEST_STOP_MS = 15_000;

interface Running {
  readonly deployment: OpenDeployment;
  readonly app: App;
  readonly key: string | undefined;
  readonly mark: ServingMark | undefined;
  /** Known once it listens. */
  port?: number;
  origin?: string;
}

/** Runs the deployments until SIGTERM or SIGINT, finishes what is under way, and closes. */
export const serve: ServerCommand = async (values) => {
  const config = serveConfigFrom(values);
  const stream = config.json ? process.stderr : process.stdout;
  const output = await openLog(config.logLevel, stream, config.logFormat);
  const stop = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);

  const fellows = await fellowWorkers(process.env);
  if (!fellows) withdraw(config);
  if (config.workers > 1 && !fellows) {
    const { supervise } = await import('./supervise.ts');
    await supervise(config, output, stop, (started) => {
      announce(started, config);
      warnOfPlainHttp(config, output.log);
    }).finally(() => output.end());
    process.exit();
  }

  const running: Running[] = [];
  try {
    for (const name of config.deployments)
      running.push(await prepare(name, config, output, running, fellows));
    // Only when all are ready does any listen: the lines that say where they are come before the log.
    for (const one of running) await listen(one, config);
    const started = running.map(({ deployment: { name }, origin = '', key }) => ({ name, origin, key }));
    if (fellows) fellows.tellListening(started.map(({ origin }) => origin));
    else {
      endWhenHanging();
      announce(started, config);
      for (const { deployment } of running) {
        if (deployment.found === 'nothing')
          output.log.warn({ deployment: deployment.name }, 'there was no database: a new one was made');
      }
      warnOfPlainHttp(config, output.log);
    }
    await stop;
    if (!fellows) output.log.info('stopping');
    for (const { app } of running) app.leave();
    await sleep(config.drainMs);
  } finally {
    const late = setTimeout(() => void leave(output), LONGEST_STOP_MS).unref();
    await Promise.all(running.map(shutDown));
    clearTimeout(late);
    await output.end();
    // One that could not start says why, and ends although the others could still tell it something.
    process.channel?.unref();
  }
  // Left to end by itself, the process would for ever try to be rid of lines that nobody reads any more.
  process.exit();
};

/** The other processes of the service, if this is one of several. */
async function fellowWorkers({
  PETSTORE_WORKER: role,
}: NodeJS.ProcessEnv): Promise<FellowWorkers | undefined> {
  if (role === undefined || process.send === undefined) return undefined;
  const { FellowWorkers } = await import('./fellow-workers.ts');
  return new FellowWorkers(JSON.parse(role));
}

function warnOfPlainHttp({ host, deployments, publicAddresses }: ServeConfig, log: Logger): void {
  if (isLoopback(host) || deployments.every((name) => publicAddresses[name] !== undefined)) return;
  log.warn(
    { host },
    'other machines can reach this over plain HTTP, where keys and passwords can be read on their way: ' +
      'put a proxy with TLS in front, and name its address with --base-url or --staging-base-url',
  );
}

async function prepare(
  name: DeploymentName,
  config: ServeConfig,
  { log, dropped }: Log,
  running: Running[],
  fellows: FellowWorkers | undefined,
): Promise<Running> {
  let key: string | undefined;
  const deployment = await openDeployment(name, config, {
    forService: true,
    onMigrated: tellMigrated(log, name),
    async setUp(db, writer) {
      if (!fellows) key = await demonstrationKey(name, config, { db, writer });
    },
  });
  try {
    const { db, secret } = deployment;
    const isFile = config.database === undefined;
    const mark = fellows ? undefined : markDeployment(name, config, log);
    const writer = fellows && isFile ? fellows.shareCommits(deployment.writer, name) : deployment.writer;
    const portOf = (other: DeploymentName) => running.find((one) => one.deployment.name === other)?.port;
    const workers = fellows?.role.of ?? 1;
    const app = buildApp({
      deployment: name,
      db,
      writer,
      secret,
      log: log.child({ deployment: name }),
      logAddresses: config.logAddresses,
      droppedLines: dropped,
      lists: { budget: config.listMemory / workers },
      servers: serversOf(name, config.publicAddresses, portOf),
      rateLimit: name === 'staging' ? config.stagingRateLimit : config.rateLimit,
      knownKey: name === 'staging' ? config.stagingKey : undefined,
      quotas: config.quotas,
      baseUrl: config.publicAddresses[name],
      trustProxy: config.trustProxy,
      openMetrics: config.openMetrics,
      inspector: config.inspector,
      webhooks: { allowPrivate: config.webhooksPrivate },
      sharedMetrics: fellows && ((own) => fellows.shareMetrics(own, name)),
      connections: connectionsOf(config, workers),
      // What one does for all is done by the first.
      jobs: [
        ...(fellows && fellows.role.number > 1 ? [] : backupsOf(name, config, log)),
        ...checksOf(
          name,
          fellows
            ? fellows.role.notClosed.includes(name)
            : deployment.found === 'not closed' && !mark?.isShared,
          config,
          log,
        ),
      ],
    });
    return { deployment, app, key, mark };
  } catch (error) {
    await deployment[Symbol.asyncDispose]();
    throw error;
  }
}

function backupsOf(name: DeploymentName, { data, backup }: ServeConfig, log: Logger): Job[] {
  if (!backup) return [];
  const copy = async (target: string, signal: AbortSignal) => {
    const { code, stderr } = await inOwnProcess(['backup', target, ...flagsOf(name, data)], signal);
    if (signal.aborted) return;
    if (code !== 0) throw new Error(stderr);
    log.info({ deployment: name, file: target }, 'the database was copied');
  };
  return [backUpRegularly({ name, folder: join(data, 'backups'), copy, ...backup })];
}

function checksOf(name: DeploymentName, isNeeded: boolean, { data }: ServeConfig, log: Logger): Job[] {
  if (!isNeeded) return [];
  log.warn({ deployment: name }, 'the database was not closed: it is checked in the background');
  const report = (problems: readonly string[]) => {
    if (problems.length === 0) log.info({ deployment: name }, 'the database was checked: it is whole');
    else log.error({ deployment: name, problems: problems.slice(0, 20) }, 'the database is damaged');
  };
  return [checkAfterCrash(flagsOf(name, data), report)];
}

/** How another process is told where the database is. */
function flagsOf(name: DeploymentName, data: string): string[] {
  return ['--deployment', name, '--data', data];
}

async function listen(one: Running, { host, ports, publicAddresses }: ServeConfig): Promise<void> {
  const { app, deployment } = one;
  await app.listen({ host, port: ports[deployment.name] });
  one.port = (app.server.address() as AddressInfo).port;
  one.origin = publicAddresses[deployment.name] ?? originOf(host, one.port);
}

async function shutDown({ app, deployment, mark }: Running): Promise<void> {
  await app.close({ leaveMs: LEAVE_MS, graceMs: GRACE_MS });
  await deployment[Symbol.asyncDispose]();
  mark?.[Symbol.dispose]();
}

/** Ends at once, which loses nothing that was acknowledged: to exit in order would wait for a thread that hangs. */
async function leave({ log, end }: Log): Promise<void> {
  log.error('something does not end: the service leaves it behind');
  await end();
  process.kill(process.pid, 'SIGKILL');
}
