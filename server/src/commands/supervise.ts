import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { isSea } from 'node:sea';
import type { ServeConfig } from '../config/serve-config.ts';
import type { DeploymentName } from '../deployment.ts';
import type { Log } from '../log.ts';
import { timeouts } from '../timeouts.ts';
import { openStuckTime } from './stuck-time.ts';
import { ALIVE_MS, tellWorker, type WorkerMessage, type WorkerRole, workersMetrics } from './worker.ts';

const SHORT_LIFE_MS = 1_000;
const GRACE_MS = timeouts.stopTimeoutMs + 2_000;

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

  cluster.setupPrimary({
    serialization: 'advanced',
    // A terminal shows lines for people, which each worker writes itself.
    silent: !process.stdout.isTTY,
    // Node takes no flag of ours for its own, as it would take --env-file.
    execArgv: [...process.execArgv, '--'],
    // One executable file is its own program: what follows its name are arguments already.
    ...(isSea() && { execArgv: [], exec: process.argv[2] ?? 'serve', args: process.argv.slice(3) }),
  });
  try {
    let origins: Origins | undefined = [];
    // One after another: the first finds out whether the service can run at all.
    for (let number = 1; number <= config.workers && origins; number++)
      origins = await start({ number, notClosed: number === 1 ? notClosed : [] });
    if (!origins) return;
    onStarted(origins);
    await stop;
  } finally {
    isStopping = true;
    const ended = Array.from(workers, (worker) => once(worker, 'exit'));
    for (const worker of workers) worker.process.kill('SIGTERM');
    const late = setTimeout(() => {
      for (const worker of workers) worker.process.kill('SIGKILL');
    }, config.drainMs + GRACE_MS);
    await Promise.all(ended);
    clearTimeout(late);
  }

  /** Gives nothing for a worker that ended before it listened, and has said why. */
  function start(role: WorkerRole, isAgain = false): Promise<Origins | undefined> {
    const { number } = role;
    let hasStarted = isAgain;
    const { promise, resolve, reject } = Promise.withResolvers<Origins | undefined>();
    const startedAt = performance.now();
    const worker = cluster.fork({
      PETSTORE_WORKER: JSON.stringify(role),
      // As many as were counted at the start.
      PETSTORE_WORKERS: String(config.workers),
    });
    workers.add(worker);
    forward(worker.process.stdout);
    worker.process.stderr?.pipe(process.stderr, { end: false });
    let isAlive = true;
    let ticks: NodeJS.Timeout | undefined;
    const watch = (pid: number) => {
      const stuckMs = openStuckTime(pid, ALIVE_MS);
      return setInterval(() => {
        const hasProgress = isAlive;
        isAlive = false;
        if (stuckMs(hasProgress) < timeouts.hangTimeoutMs) return;
        clearInterval(ticks);
        log.error(
          { worker: number, timeoutMs: timeouts.hangTimeoutMs },
          'a worker does not respond and is killed',
        );
        worker.process.kill('SIGKILL');
      }, ALIVE_MS);
    };
    worker.on('message', (message: WorkerMessage) => {
      isAlive = true;
      if (message.about === 'listening') {
        hasStarted = true;
        ticks = watch(worker.process.pid as number);
        resolve(message.origins);
      }
      if (message.about === 'commits')
        for (const other of workers) if (other !== worker) tellWorker(other, message);
      if (message.about === 'metrics wanted') void metrics.get(message.deployment)?.answer(worker, workers);
    });
    const end = (how: { code?: number; signal?: string; err?: Error }) => {
      clearInterval(ticks);
      workers.delete(worker);
      for (const ofDeployment of metrics.values()) ofDeployment.ended(worker);
      if (!hasStarted) process.exitCode = how.code || 1;
      if (!hasStarted && how.err) reject(how.err);
      resolve(undefined);
      if (isStopping || !hasStarted) return;
      log.error({ worker: number, ...how }, 'a worker ended and is started again');
      const rest = Math.max(0, SHORT_LIFE_MS - (performance.now() - startedAt));
      setTimeout(() => isStopping || start(role, true), rest);
    };
    worker.once('exit', (code, signal) => end({ code, signal }));
    // A worker that was never forked emits only 'error'; every other one also emits 'exit'.
    worker.on('error', (err) => worker.process.pid === undefined && end({ err }));
    return promise;
  }
}
