import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { isSea } from 'node:sea';
import type { Logger } from 'pino';
import type { ServeConfig } from '../config/serve-config.ts';
import type { DeploymentName } from '../deployment.ts';
import type { Log } from '../log.ts';
import { openDeployment } from '../open-deployment.ts';
import { demonstrationKey } from './demonstration-account.ts';
import { ALIVE_MS, type WorkerMessage, type WorkerRole } from './fellow-workers.ts';
import { markDeployment, tellMigrated } from './opening-lines.ts';
import { WorkersMetrics } from './workers-metrics.ts';

/** A worker that dies sooner than this after its start is not started again at once. */
const SHORT_LIFE_MS = 1_000;
/** Workers end by themselves; those that have not by then are ended. */
const GRACE_MS = 12_000;
/** A worker that is silent for so long hangs: it is ended, and another takes its place. */
const LONGEST_SILENCE_MS = 10_000;

export interface Started {
  readonly name: DeploymentName;
  readonly origin: string;
  readonly key: string | undefined;
}

/**
 * Runs the service in several processes, which share the port and the database and nothing else. What is done once is
 * done here, before the first of them starts; from then on this process hands out connections and passes on messages.
 */
export async function supervise(
  config: ServeConfig,
  { log, forward, dropped }: Pick<Log, 'log' | 'forward' | 'dropped'>,
  stop: Promise<unknown>,
  onStarted: (started: readonly Started[]) => void,
): Promise<void> {
  const workers = new Map<number, Worker>();
  using marks = new DisposableStack();
  const { keys, notClosed, made } = await prepareDatabases(config, log, marks);
  /** Only then is one that ends started again. */
  let isRunning = false;
  let unchecked = notClosed;

  cluster.setupPrimary({
    serialization: 'advanced',
    // A terminal shows lines for people, which each worker writes itself.
    silent: !process.stdout.isTTY,
    // Node takes no flag of ours for its own, as it would take --env-file.
    execArgv: [...process.execArgv, '--'],
    // One executable file is its own program: what follows its name are arguments already.
    ...(isSea() && { execArgv: [], exec: process.argv[2] ?? 'serve', args: process.argv.slice(3) }),
  });

  const tellAll = (message: WorkerMessage, except?: number) => {
    for (const [number, { process: fellow }] of workers)
      if (number !== except) fellow.send(message, () => {});
  };
  const metrics = new WorkersMetrics((deployment) => {
    tellAll({ about: 'metrics wanted', deployment });
    return workers.keys();
  }, dropped);
  const answer = async (worker: Worker, message: WorkerMessage) => {
    if (message.about !== 'metrics wanted') return;
    const { deployment } = message;
    const text = await metrics.sum(deployment);
    worker.process.send({ about: 'all metrics', deployment, text }, () => {});
  };

  const start = (number: number): Promise<readonly string[]> => {
    const role: WorkerRole = { number, of: config.workers, notClosed: unchecked };
    unchecked = [];
    const worker = cluster.fork({ PETSTORE_WORKER: JSON.stringify(role) });
    workers.set(number, worker);
    const startedAt = performance.now();
    forward(worker.process.stdout);
    worker.process.stderr?.pipe(process.stderr, { end: false });
    const { promise, resolve, reject } = Promise.withResolvers<readonly string[]>();
    const watch = watchSilence(() => {
      log.error({ worker: number }, 'a worker does not answer and is ended');
      worker.process.kill('SIGKILL');
    });
    worker.on('message', (message: WorkerMessage) => {
      watch.heard();
      if (message.about === 'alive') return;
      if (message.about === 'listening') return resolve(message.origins);
      if (message.about === 'commits') return tellAll(message, number);
      if (message.about === 'metrics') return metrics.take(number, message.deployment, message.metrics);
      void answer(worker, message);
    });
    worker.once('exit', (code, signal) => {
      watch.end();
      workers.delete(number);
      metrics.ended(number);
      reject(new WorkerEnded(code));
      if (!isRunning) return;
      log.error({ worker: number, code, signal }, 'a worker ended and is started again');
      const rest = Math.max(0, SHORT_LIFE_MS - (performance.now() - startedAt));
      setTimeout(() => isRunning && start(number).catch(() => {}), rest).unref();
    });
    return promise;
  };

  const stopAll = async () => {
    isRunning = false;
    const ended = Array.from(workers.values(), (worker) => once(worker, 'exit'));
    for (const worker of workers.values()) worker.process.kill('SIGTERM');
    const late = setTimeout(() => {
      for (const worker of workers.values()) worker.process.kill('SIGKILL');
    }, config.drainMs + GRACE_MS);
    await Promise.all(ended);
    clearTimeout(late);
  };

  try {
    // The first one finds out whether the service can run at all, and says why it cannot.
    const origins = await start(1);
    for (let number = 2; number <= config.workers; number++) await start(number);
    isRunning = true;
    onStarted(config.deployments.map((name, i) => ({ name, origin: origins[i] ?? '', key: keys.get(name) })));
    for (const deployment of made) log.warn({ deployment }, 'there was no database: a new one was made');
    await stop;
    log.info('stopping');
  } catch (error) {
    if (!(error instanceof WorkerEnded)) throw error;
    process.exitCode = error.code || 1;
  } finally {
    await stopAll();
  }
}

/** Counts its own turns and no clock: a supervisor that was suspended finds no worker silent when it goes on. */
function watchSilence(onHanging: () => void): { heard(): void; end(): void } {
  let silentTurns = 0;
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    if (++silentTurns === LONGEST_SILENCE_MS / ALIVE_MS) onHanging();
  };
  return {
    heard() {
      silentTurns = 0;
      timer ??= setInterval(look, ALIVE_MS);
    },
    end: () => clearInterval(timer),
  };
}

/** It has said why. */
class WorkerEnded extends Error {
  readonly code: number;
  constructor(code: number) {
    super('a worker ended');
    this.code = code;
  }
}

/** Brings each database to the newest schema, and opens the demonstration account. */
async function prepareDatabases(config: ServeConfig, log: Logger, marks: DisposableStack) {
  const keys = new Map<DeploymentName, string>();
  const notClosed: DeploymentName[] = [];
  const made: DeploymentName[] = [];
  for (const name of config.deployments) {
    await using deployment = await openDeployment(name, config, {
      onMigrated: tellMigrated(log, name),
      async setUp(db, writer) {
        const key = await demonstrationKey(name, config, { db, writer });
        if (key !== undefined) keys.set(name, key);
      },
    });
    const mark = marks.use(markDeployment(name, config, log));
    if (deployment.found === 'not closed' && !mark?.isShared) notClosed.push(name);
    if (deployment.found === 'nothing') made.push(name);
  }
  return { keys, notClosed, made };
}
