import { AggregatorRegistry, type Registry } from 'prom-client';
import type { DeploymentName } from '../deployment.ts';
import { CommitListeners, type Reached } from '../writer/commit-listeners.ts';
import type { Writer } from '../writer/writer.ts';

/** What a worker is told when it is started. */
export interface WorkerRole {
  /** From 1 on; one that is started again has the number of the one that died. */
  readonly number: number;
  readonly of: number;
  /** Databases that were not closed, for this worker to check. */
  readonly notClosed: readonly DeploymentName[];
}

/** What workers tell each other, or the one named by `to`; the supervisor passes it on. */
export type Message = { readonly to?: number } & (
  | { about: 'listening'; origins: readonly string[] }
  | { about: 'alive' }
  | { about: 'commits'; deployment: DeploymentName; reached: readonly Reached[] }
  | { about: 'metrics wanted'; deployment: DeploymentName; by: number }
  | { about: 'metrics'; deployment: DeploymentName; metrics: object[] }
);

/** A worker that does not answer within this time is left out of the metrics. */
const PATIENCE_MS = 1_000;
/** How often a worker tells the supervisor that its event loop turns. */
export const ALIVE_MS = 1_000;

/** The other processes of the same service, as one of them sees them. They share the port and the database. */
export class FellowWorkers {
  readonly role: WorkerRole;

  constructor(role: WorkerRole) {
    this.role = role;
  }

  tell(message: Message): void {
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
    process.on('message', (message: Message) => {
      if (message.about === 'commits' && message.deployment === deployment)
        message.reached.forEach(listeners.tell);
    });
    return {
      apply: (verb, args) => writer.apply(verb, args),
      onCommit: (listener) => listeners.add(listener),
      close: () => writer.close(),
    };
  }

  /** How to show the metrics of all workers together, whichever of them is asked. */
  shareMetrics(own: Registry, deployment: DeploymentName): () => Promise<string> {
    const others = new Set<(metrics: object[]) => void>();
    process.on('message', async (message: Message) => {
      if (!('deployment' in message) || message.deployment !== deployment) return;
      if (message.about === 'metrics') for (const take of others) take(message.metrics);
      if (message.about !== 'metrics wanted') return;
      const metrics = await own.getMetricsAsJSON();
      this.tell({ about: 'metrics', deployment, to: message.by, metrics });
    });
    return async () => {
      const all: object[][] = [await own.getMetricsAsJSON()];
      const { promise: complete, resolve } = Promise.withResolvers<void>();
      const take = (metrics: object[]) => {
        all.push(metrics);
        if (all.length === this.role.of) resolve();
      };
      others.add(take);
      const late = setTimeout(resolve, PATIENCE_MS);
      this.tell({ about: 'metrics wanted', deployment, by: this.role.number });
      await complete;
      clearTimeout(late);
      others.delete(take);
      return AggregatorRegistry.aggregate(all).metrics();
    };
  }
}
