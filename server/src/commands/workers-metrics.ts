import type { Worker } from 'node:cluster';
import { on } from 'node:events';
import { AggregatorRegistry, Counter, Registry } from 'prom-client';
import type { DeploymentName } from '../deployment.ts';
import { type Metrics, tellWorker, type WorkerMessage } from './worker.ts';

/** A worker that does not answer within this time counts as it last did. */
const PATIENCE_MS = 5_000;
const GROWING = ['counter', 'histogram'];

/** Adds up a deployment's metrics of all workers. What a dead one had counted stays counted: no counter falls. */
export function workersMetrics(deployment: DeploymentName, droppedLines: () => number) {
  const ofLiving = new Map<Worker, Metrics>();
  let ofDead: Promise<Metrics> = Promise.resolve([]);

  return {
    async sum(workers: Iterable<Worker>): Promise<string> {
      await Promise.all(Array.from(workers, ask));
      return added(await Promise.all([...ofLiving.values(), ofSupervisor(), ofDead])).metrics();
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
