import type { Worker } from 'node:cluster';
import { on } from 'node:events';
import { AggregatorRegistry, Counter, Registry } from 'prom-client';
import type { DeploymentName } from '../deployment.ts';
import { timeouts } from '../timeouts.ts';
import type { Reached } from '../writer/verb.ts';
import type { OpenWriter } from '../writer/writer.ts';

type Metrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

export interface WorkerRole {
  readonly number: number;
  readonly notClosed: readonly DeploymentName[];
}

/** Between a worker and the supervisor, which passes commits on to the other workers. */
export type WorkerMessage =
  | { about: 'listening'; origins: readonly string[] }
  | { about: 'alive' }
  | { about: 'commits'; deployment: DeploymentName; reached: Reached }
  | { about: 'metrics wanted'; deployment: DeploymentName }
  | { about: 'metrics'; deployment: DeploymentName; metrics: Metrics }
  | { about: 'all metrics'; deployment: DeploymentName; text: string };

/** A worker says so often that it is alive. */
export const ALIVE_MS = timeouts.hangTimeoutMs / 10;
/** A worker that does not answer within this time counts as it last did. */
const PATIENCE_MS = 5_000;
const GROWING = ['counter', 'histogram'];

export function tellWorker(worker: Worker, message: WorkerMessage): void {
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

/** A worker without its supervisor ends at once. Node would have it write its last lines first, and nobody reads them. */
export function endWithSupervisor(): void {
  process.prependOnceListener('disconnect', () => process.kill(process.pid, 'SIGKILL'));
}

export function tellListening(origins: readonly string[]): void {
  tell({ about: 'listening', origins });
  setInterval(() => tell({ about: 'alive' }), ALIVE_MS).unref();
}

/** Workers hear of what others commit: PostgreSQL tells that itself, a file does not. */
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

/** Adds up a deployment's metrics of all workers. What a dead one had counted stays counted: no counter falls. */
export function workersMetrics(deployment: DeploymentName, droppedLines: () => number) {
  const ofLiving = new Map<Worker, Metrics>();
  let ofDead: Promise<Metrics> = Promise.resolve([]);

  return {
    async answer(asking: Worker, workers: Iterable<Worker>): Promise<void> {
      await Promise.all(Array.from(workers, ask));
      const all = await Promise.all([...ofLiving.values(), ofSupervisor(), ofDead]);
      tellWorker(asking, { about: 'all metrics', deployment, text: await added(all).metrics() });
    },

    ended(worker: Worker): void {
      const last = ofLiving.get(worker) ?? [];
      const growing = last.filter(({ type }) => GROWING.includes(String(type)));
      ofLiving.delete(worker);
      ofDead = ofDead.then((before) => added([before, growing]).getMetricsAsJSON());
    },
  };

  async function ask(worker: Worker): Promise<void> {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const messages = on(worker, 'message', { signal, close: ['exit'] });
    tellWorker(worker, { about: 'metrics wanted', deployment });
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

  /** The lines of all workers go through the supervisor, which may have to drop some. */
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
