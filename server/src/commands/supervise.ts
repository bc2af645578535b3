import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { isSea } from 'node:sea';
import type { ServeConfig } from '../config/serve-config.ts';
import type { DeploymentName } from '../deployment.ts';
import type { Log } from '../log.ts';
import { ALIVE_MS, tellWorker, type WorkerMessage, type WorkerRole } from './worker.ts';
import { workersMetrics } from './workers-metrics.ts';

const SHORT_LIFE_MS = 1_000;
const GRACE_MS = 12_000;
const LONGEST_SILENCE_MS = 10_000;

type Origins = readonly string[];

/**
 * Runs the service in several processes. One that cannot start ends all; one that has started, and ends or falls silent, is
 * started again; when they stop, those that take too long are killed.
 */
export async function supervise(
  config: ServeConfig,
  { log, forward, dropped }: Log,
  notClosed: readonly DeploymentName[],
  stop: Promise<unknown>,
  onStarted: (origins: Origins) => void,
): Promise<void> {
  const workers = new Set<Worker>();
  const metrics = new Map(config.deployments.map((name) => [name, workersMetrics(name, dropped)]));
  let isStopping = false;

  setUpWorkers();
  try {
    const origins = await startAll();
    if (!origins) return;
    onStarted(origins);
    await stop;
  } finally {
    isStopping = true;
    await stopAll();
  }

  /** One after another: the first finds out whether the service can run at all. */
  async function startAll(): Promise<Origins | undefined> {
    let origins: Origins | undefined = [];
    for (let number = 1; number <= config.workers && origins; number++)
      origins = await start({ number, of: config.workers, notClosed: number === 1 ? notClosed : [] });
    return origins;
  }

  /** Gives nothing for a worker that ended before it listened, and has said why. */
  function start(role: WorkerRole, isAgain = false): Promise<Origins | undefined> {
    const { number } = role;
    let hasStarted = isAgain;
    const { promise, resolve } = Promise.withResolvers<Origins | undefined>();
    const startedAt = performance.now();
    const worker = cluster.fork({ PETSTORE_WORKER: JSON.stringify(role) });
    workers.add(worker);
    forward(worker.process.stdout);
    worker.process.stderr?.pipe(process.stderr, { end: false });
    const silence = watchSilence(() => {
      log.error({ worker: number }, 'a worker does not answer and is ended');
      worker.process.kill('SIGKILL');
    });
    worker.on('message', (message: WorkerMessage) => {
      silence.heard();
      if (message.about === 'listening') {
        hasStarted = true;
        resolve(message.origins);
      }
      if (message.about === 'commits')
        for (const other of workers) if (other !== worker) tellWorker(other, message);
      if (message.about === 'metrics wanted') void answerWithMetrics(worker, message.deployment);
    });
    worker.once('exit', (code, signal) => {
      silence.end();
      workers.delete(worker);
      for (const ofDeployment of metrics.values()) ofDeployment.ended(worker);
      resolve(undefined);
      if (!hasStarted) process.exitCode = code || 1;
      if (isStopping || !hasStarted) return;
      log.error({ worker: number, code, signal }, 'a worker ended and is started again');
      const rest = Math.max(0, SHORT_LIFE_MS - (performance.now() - startedAt));
      setTimeout(() => isStopping || start({ ...role, notClosed: [] }, true), rest).unref();
    });
    return promise;
  }

  async function answerWithMetrics(worker: Worker, deployment: DeploymentName): Promise<void> {
    const text = (await metrics.get(deployment)?.sum(workers)) ?? '';
    tellWorker(worker, { about: 'all metrics', deployment, text });
  }

  async function stopAll(): Promise<void> {
    const ended = Array.from(workers, (worker) => once(worker, 'exit'));
    for (const worker of workers) worker.process.kill('SIGTERM');
    const late = setTimeout(() => {
      for (const worker of workers) worker.process.kill('SIGKILL');
    }, config.drainMs + GRACE_MS);
    await Promise.all(ended);
    clearTimeout(late);
  }
}

function setUpWorkers(): void {
  cluster.setupPrimary({
    serialization: 'advanced',
    // A terminal shows lines for people, which each worker writes itself.
    silent: !process.stdout.isTTY,
    // Node takes no flag of ours for its own, as it would take --env-file.
    execArgv: [...process.execArgv, '--'],
    // One executable file is its own program: what follows its name are arguments already.
    ...(isSea() && { execArgv: [], exec: process.argv[2] ?? 'serve', args: process.argv.slice(3) }),
  });
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
