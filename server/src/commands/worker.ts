import type { Worker } from 'node:cluster';
import { on } from 'node:events';
import { AggregatorRegistry, Counter, Registry } from 'prom-client';
import { timeouts } from '../config/timeouts.ts';
import type { DeploymentName } from '../domain/deployment.ts';
import type { NewRevisions } from '../writer/verb.ts';
import type { OpenWriter } from '../writer/writer.ts';

type Metrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

export interface WorkerRole {
  readonly number: number;
  readonly uncleanDeployments: readonly DeploymentName[];
}

/** Messages between a worker and the supervisor, which forwards commits to the other workers. */
export type WorkerMessage =
  | { about: 'listening'; origins: readonly string[] }
  | { about: 'alive' }
  | { about: 'commits'; deployment: DeploymentName; revisions: NewRevisions }
  | { about: 'metrics requested'; deployment: DeploymentName }
  | { about: 'metrics'; deployment: DeploymentName; metrics: Metrics }
  | { about: 'all metrics'; deployment: DeploymentName; text: string };

/** Interval of a worker's heartbeat. */
export const HEARTBEAT_MS = timeouts.hangTimeoutMs / 10;
/** For a worker that does not respond in time, its last known metrics are used. */
const METRICS_TIMEOUT_MS = 5_000;
const CUMULATIVE = ['counter', 'histogram'];

export function notifyWorker(worker: Worker, message: WorkerMessage): void {
  worker.send(message, () => {});
}

function notifySupervisor(message: WorkerMessage): void {
  process.send?.(message, undefined, undefined, () => {});
}

function onMessage(deployment: DeploymentName, listener: (message: WorkerMessage) => void): void {
  process.on('message', (message: WorkerMessage) => {
    if ('deployment' in message && message.deployment === deployment) listener(message);
  });
}

/** Kills the worker when the supervisor dies. By default, Node would first wait for output that is no longer read. */
export function exitWhenSupervisorDies(): void {
  process.prependOnceListener('disconnect', () => process.kill(process.pid, 'SIGKILL'));
}

export function reportListening(origins: readonly string[]): void {
  notifySupervisor({ about: 'listening', origins });
  setInterval(() => notifySupervisor({ about: 'alive' }), HEARTBEAT_MS).unref();
}

/** Notifies workers of each other's commits. PostgreSQL does that itself (NOTIFY); SQLite cannot. */
export function shareCommits(writer: OpenWriter, deployment: DeploymentName): void {
  writer.onCommit((revisions, isLocal) => {
    if (isLocal) notifySupervisor({ about: 'commits', deployment, revisions });
  });
  onMessage(deployment, (message) => {
    if (message.about === 'commits') writer.notify(message.revisions);
  });
}

export function shareMetrics(registry: Registry, deployment: DeploymentName): () => Promise<string> {
  let waiting: Array<(text: string) => void> = [];
  onMessage(deployment, async (message) => {
    if (message.about === 'metrics requested')
      notifySupervisor({ about: 'metrics', deployment, metrics: await registry.getMetricsAsJSON() });
    if (message.about !== 'all metrics') return;
    for (const resolve of waiting) resolve(message.text);
    waiting = [];
  });
  return () => {
    notifySupervisor({ about: 'metrics requested', deployment });
    return new Promise((resolve) => void waiting.push(resolve));
  };
}

/** Aggregates a deployment's metrics over all workers, including exited ones, so that counters never decrease. */
export function workersMetrics(deployment: DeploymentName, droppedLines: () => number) {
  const latestMetrics = new Map<Worker, Metrics>();
  let exitedMetrics: Promise<Metrics> = Promise.resolve([]);

  return {
    async respond(requester: Worker, workers: Iterable<Worker>): Promise<void> {
      await Promise.all(Array.from(workers, fetchMetrics));
      const all = await Promise.all([...latestMetrics.values(), supervisorMetrics(), exitedMetrics]);
      notifyWorker(requester, { about: 'all metrics', deployment, text: await aggregate(all).metrics() });
    },

    onExit(worker: Worker): void {
      const last = latestMetrics.get(worker) ?? [];
      const cumulative = last.filter(({ type }) => CUMULATIVE.includes(String(type)));
      latestMetrics.delete(worker);
      exitedMetrics = exitedMetrics.then((before) => aggregate([before, cumulative]).getMetricsAsJSON());
    },
  };

  async function fetchMetrics(worker: Worker): Promise<void> {
    const signal = AbortSignal.timeout(METRICS_TIMEOUT_MS);
    const messages = on(worker, 'message', { signal, close: ['exit'] });
    notifyWorker(worker, { about: 'metrics requested', deployment });
    try {
      for await (const [received] of messages) {
        const message: WorkerMessage = received;
        if (message.about !== 'metrics' || message.deployment !== deployment) continue;
        latestMetrics.set(worker, message.metrics);
        return;
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /** All log lines of workers go through the supervisor, which may drop some. */
  function supervisorMetrics(): Promise<Metrics> {
    const registry = new Registry();
    registry.setDefaultLabels({ deployment });
    const name = 'petstore_log_lines_dropped_total';
    new Counter({ name, help: name, registers: [registry] }).inc(droppedLines());
    return registry.getMetricsAsJSON();
  }
}

function aggregate(all: readonly Metrics[]): Registry {
  return AggregatorRegistry.aggregate(all as object[][]);
}
