import type { Registry } from 'prom-client';
import type { DeploymentName } from '../deployment.ts';
import { CommitListeners, type Reached } from '../writer/commit-listeners.ts';
import type { Writer } from '../writer/writer.ts';
import type { Told } from './workers-metrics.ts';

/** What a worker is told when it is started. */
export interface WorkerRole {
  /** From 1 on; one that is started again has the number of the one that died. */
  readonly number: number;
  readonly of: number;
  /** Databases that were not closed, for this worker to check. */
  readonly notClosed: readonly DeploymentName[];
}

/** What workers and the supervisor tell each other. Commits it passes on to the others. */
export type WorkerMessage =
  | { about: 'listening'; origins: readonly string[] }
  | { about: 'alive' }
  | { about: 'commits'; deployment: DeploymentName; reached: readonly Reached[] }
  | { about: 'metrics wanted'; deployment: DeploymentName }
  | { about: 'metrics'; deployment: DeploymentName; metrics: Told }
  | { about: 'all metrics'; deployment: DeploymentName; text: string };

/** How often a worker tells the supervisor that its event loop turns. */
export const ALIVE_MS = 1_000;

/** The other processes of the same service, as one of them sees them. They share the port and the database. */
export class FellowWorkers {
  readonly role: WorkerRole;

  constructor(role: WorkerRole) {
    this.role = role;
  }

  tell(message: WorkerMessage): void {
    process.send?.(message, undefined, undefined, () => {});
  }

  /** From now on the supervisor may rely on hearing from this one. */
  tellListening(origins: readonly string[]): void {
    this.tell({ about: 'listening', origins });
    setInterval(() => this.tell({ about: 'alive' }), ALIVE_MS).unref();
  }

  /** A writer that also hears of what the others commit: PostgreSQL tells that itself, a file does not. */
  shareCommits(writer: Writer, deployment: DeploymentName): Writer {
    const listeners = new CommitListeners();
    let untold: Map<bigint, bigint> | undefined;
    writer.onCommit((reached) => {
      listeners.tell(reached);
      // Commits of the same turn share a message.
      if (!untold) setImmediate(tellOthers);
      untold ??= new Map();
      untold.set(reached.storeId, reached.revision);
    });
    const tellOthers = () => {
      const reached = Array.from(untold ?? [], ([storeId, revision]) => ({ storeId, revision }));
      untold = undefined;
      this.tell({ about: 'commits', deployment, reached });
    };
    process.on('message', (message: WorkerMessage) => {
      if (message.about === 'commits' && message.deployment === deployment)
        message.reached.forEach(listeners.tell);
    });
    return {
      apply: (verb, args) => writer.apply(verb, args),
      onCommit: (listener) => listeners.add(listener),
      load: writer.load,
      close: () => writer.close(),
    };
  }

  /** How to show the metrics of all workers together, whichever of them is asked: the supervisor adds them up. */
  shareMetrics(own: Registry, deployment: DeploymentName): () => Promise<string> {
    let waiting: Array<(text: string) => void> = [];
    process.on('message', async (message: WorkerMessage) => {
      if (!('deployment' in message) || message.deployment !== deployment) return;
      if (message.about === 'metrics wanted')
        this.tell({ about: 'metrics', deployment, metrics: await own.getMetricsAsJSON() });
      if (message.about !== 'all metrics') return;
      for (const show of waiting) show(message.text);
      waiting = [];
    });
    return () => {
      this.tell({ about: 'metrics wanted', deployment });
      return new Promise((resolve) => void waiting.push(resolve));
    };
  }
}
