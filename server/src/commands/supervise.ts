import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { isSea } from 'node:sea';
import type { ServeConfig } from '../config/serve-config.ts';
import { timeouts } from '../config/timeouts.ts';
import type { DeploymentName } from '../domain/deployment.ts';
import type { Log } from '../telemetry/log.ts';
import { createStallTimer } from './stall-timer.ts';
import { HEARTBEAT_MS, notifyWorker, type WorkerMessage, type WorkerRole, workersMetrics } from './worker.ts';

/** A worker that exits sooner is not restarted before this time has passed. */
const MIN_RESTART_INTERVAL_MS = 1_000;
const GRACE_MS = timeouts.stopTimeoutMs + 2_000;

type Origins = readonly string[];

/**
 * Runs the service in several worker processes. If a worker fails to start, all stop. A worker that exits or hangs later is
 * restarted. On shutdown, workers that exceed the grace period are killed.
 */
export async function supervise(
  config: ServeConfig,
  { log, forward, dropped }: Log,
  uncleanDeployments: readonly DeploymentName[],
  stop: Promise<unknown>,
  onStarted: (origins: Origins) => void,
): Promise<void> {
  const workers = new Set<Worker>();
  const metrics = new Map(config.deployments.map((name) => [name, workersMetrics(name, dropped)]));
  let isStopping = false;

  cluster.setupPrimary({
    serialization: 'advanced',
    // In a terminal, each worker writes its own human-readable lines.
    silent: !process.stdout.isTTY,
    // After `--`, Node does not parse our flags, such as --env-file, as its own.
    execArgv: [...process.execArgv, '--'],
    // The single executable takes its own first argument where Node takes a script.
    ...(isSea() && { execArgv: [], exec: process.argv[2] ?? 'serve', args: process.argv.slice(3) }),
  });
  try {
    let origins: Origins | undefined = [];
    // Sequentially: the first worker shows whether the service can start at all.
    for (let number = 1; number <= config.workers && origins; number++)
      origins = await start({ number, uncleanDeployments: number === 1 ? uncleanDeployments : [] });
    if (!origins) return;
    onStarted(origins);
    await stop;
  } finally {
    isStopping = true;
    const ended = Array.from(workers, (worker) => once(worker, 'exit'));
    for (const worker of workers) worker.process.kill('SIGTERM');
    const killTimer = setTimeout(() => {
      for (const worker of workers) worker.process.kill('SIGKILL');
    }, config.drainMs + GRACE_MS);
    await Promise.all(ended);
    clearTimeout(killTimer);
  }

  /** Resolves to undefined if the worker exited before listening; it has logged why. */
  function start(role: WorkerRole, isRestart = false): Promise<Origins | undefined> {
    const { number } = role;
    // A restarted worker that exits before listening is restarted again.
    let hasStarted = isRestart;
    const { promise, resolve, reject } = Promise.withResolvers<Origins | undefined>();
    const startedAt = performance.now();
    const worker = cluster.fork({
      PETSTORE_WORKER: JSON.stringify(role),
      // Otherwise, the worker would count the cores itself, possibly with another result.
      PETSTORE_WORKERS: String(config.workers),
    });
    workers.add(worker);
    forward(worker.process.stdout);
    worker.process.stderr?.pipe(process.stderr, { end: false });
    let isAlive = true;
    let ticks: NodeJS.Timeout | undefined;
    const watch = (pid: number) => {
      const stalledMs = createStallTimer(pid, HEARTBEAT_MS);
      return setInterval(() => {
        const hasProgress = isAlive;
        isAlive = false;
        if (stalledMs(hasProgress) < timeouts.hangTimeoutMs) return;
        clearInterval(ticks);
        log.error({ worker: number, timeoutMs: timeouts.hangTimeoutMs }, 'worker not responding; killing it');
        worker.process.kill('SIGKILL');
      }, HEARTBEAT_MS);
    };
    worker.on('message', (message: WorkerMessage) => {
      isAlive = true;
      if (message.about === 'listening') {
        hasStarted = true;
        ticks = watch(worker.process.pid as number);
        resolve(message.origins);
      }
      if (message.about === 'commits')
        for (const other of workers) if (other !== worker) notifyWorker(other, message);
      if (message.about === 'metrics requested')
        void metrics.get(message.deployment)?.respond(worker, workers);
    });
    const end = (how: { code?: number; signal?: string; err?: Error }) => {
      clearInterval(ticks);
      workers.delete(worker);
      for (const deploymentMetrics of metrics.values()) deploymentMetrics.onExit(worker);
      if (!hasStarted) process.exitCode = how.code || 1;
      if (!hasStarted && how.err) reject(how.err);
      resolve(undefined);
      if (isStopping || !hasStarted) return;
      log.error({ worker: number, ...how }, 'worker exited; restarting it');
      const delayMs = Math.max(0, MIN_RESTART_INTERVAL_MS - (performance.now() - startedAt));
      setTimeout(() => isStopping || start(role, true), delayMs);
    };
    worker.once('exit', (code, signal) => end({ code, signal }));
    // A worker that could not be forked emits only 'error'; all others emit 'exit' as well.
    worker.on('error', (err) => worker.process.pid === undefined && end({ err }));
    return promise;
  }
}
