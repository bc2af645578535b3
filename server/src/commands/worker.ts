import type { Worker } from 'node:cluster';
import { on } from 'node:events';
import { AggregatorRegistry, Counter, Registry } from 'prom-client';
import { timeouts } from '../config/timeouts.ts';
import type { DeploymentName } from '../domain/deployment.ts';
import type { Reached } from '../writer/verb.ts';
import type { OpenWriter } from '../writer/writer.ts';

type Metrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

export interface WorkerRole {
  readonly number: number;
  readonly notClosed: readonly DeploymentName[];
}

/** Messages between a worker and the supervisor, which forwards commits to the other workers. */
export type WorkerMessage =
  | { about: 'listening'; origins: readonly string[] }
  | { about: 'alive' }
  | { about: 'commits'; deployment: DeploymentName; reached: Reached }
  | { about: 'metrics wanted'; deployment: DeploymentName }
  | { about: 'metrics'; deployment: DeploymentName; metrics: Metrics }
  | { about: 'all metrics'; deployment: DeploymentName; text: string };

/** A worker says so often that it is alive. */
export const ALIVE_MS = timeouts.hangTimeoutMs / 10;
/** For a worker that does not respond in time, its last known metrics are used. */
const TIMEOUT_MS = 5_000;
const GROWING = ['counter', 'histogram'];

export function notifyWorker(worker: Worker, message: WorkerMessage): void {
  worker.send(message, () => {});
}

function tell(message: WorkerMessage): void {
  process.send?.(message, undefined, undefined, () => {});
}

function onMessage(deployment: DeploymentName, hear: (message: WorkerMessage) => void): void {
  process.on('message', (message: WorkerMessage) => {
    if ('deployment' in message && message.deployment === deployment) hear(message);
  });
}

/** Kills the worker when the supervisor dies. By default, Node would first wait for output that is no longer read. */
export function exitWhenSupervisorDies(): void {
  process.prependOnceListener('disconnect', () => process.kill(process.pid, 'SIGKILL'));
}

export function reportListening(origins: readonly string[]): void {
  tell({ about: 'listening', origins });
  setInterval(() => tell({ about: 'alive' }), ALIVE_MS).unref();
}

/** Notifies workers of each other's commits. PostgreSQL does that itself (NOTIFY); SQLite cannot. */
export function shareCommits(writer: OpenWriter, deployment: DeploymentName): void {
  writer.onCommit((reached, isOwn) => {
    if (isOwn) tell({ about: 'commits', deployment, reached });
  });
  onMessage(deployment, (message) => {
    if (message.about === 'commits') writer.tell(message.reached);
  });
}

export function shareMetrics(own: Registry, deployment: DeploymentName): () => Promise<string> {
  let waiting: Array<(text: string) => void> = [];
  onMessage(deployment, async (message) => {
    if (message.about === 'metrics wanted')
      tell({ about: 'metrics', deployment, metrics: await own.getMetricsAsJSON() });
    if (message.about !== 'all metrics') return;
    for (const show of waiting) show(message.text);
    waiting = [];
  });
  return () => {
    tell({ about: 'metrics wanted', deployment });
    return new Promise((resolve) => void waiting.push(resolve));
  };
}

/** Aggregates a deployment's metrics over all workers, including exited ones, so that counters never decrease. */
export function workersMetrics(deployment: DeploymentName, droppedLines: () => number) {
  const ofLiving = new Map<Worker, Metrics>();
  let ofDead: Promise<Metrics> = Promise.resolve([]);

  return {
    async response(asking: Worker, workers: Iterable<Worker>): Promise<void> {
      await Promise.all(Array.from(workers, ask));
      const all = await Promise.all([...ofLiving.values(), ofSupervisor(), ofDead]);
      notifyWorker(asking, { about: 'all metrics', deployment, text: await added(all).metrics() });
    },

    ended(worker: Worker): void {
      const last = ofLiving.get(worker) ?? [];
      const growing = last.filter(({ type }) => GROWING.includes(String(type)));
      ofLiving.delete(worker);
      ofDead = ofDead.then((before) => added([before, growing]).getMetricsAsJSON());
    },
  };

  async function ask(worker: Worker): Promise<void> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const messages = on(worker, 'message', { signal, close: ['exit'] });
    notifyWorker(worker, { about: 'metrics wanted', deployment });
    try {
      for await (const [heard] of messages) {
        const message: WorkerMessage = heard;
        if (message.about !== 'metrics' || message.deployment !== deployment) continue;
        ofLiving.set(worker, message.metrics);
        return;
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /** All log lines of workers go through the supervisor, which may drop some. */
  function ofSupervisor(): Promise<Metrics> {
    const registry = new Registry();
    registry.setDefaultLabels({ deployment });
    const name = 'petstore_log_lines_dropped_total';
    new Counter({ name, help: name, registers: [registry] }).inc(droppedLines());
    return registry.getMetricsAsJSON();
  }
}

function added(all: readonly Metrics[]): Registry {
  return AggregatorRegistry.aggregate(all as object[][]);
}
