import { AggregatorRegistry, Counter, Registry } from 'prom-client';
import type { DeploymentName } from '../deployment.ts';

/** A worker that does not answer within this time counts as it last did. */
const PATIENCE_MS = 5_000;
/** Only what counts is kept of a worker that is gone: what it held is held no more. */
const GROWING = ['counter', 'histogram'];

export type Told = Readonly<Awaited<ReturnType<Registry['getMetricsAsJSON']>>>;

/** Adds up the metrics of all workers. What one had counted stays counted when it dies: a counter never falls. */
export class WorkersMetrics {
  readonly #ask: (deployment: DeploymentName) => Iterable<number>;
  readonly #droppedLines: () => number;
  /** What each worker told last. */
  readonly #told = new Map<number, Map<DeploymentName, Told>>();
  readonly #ofDead = new Map<DeploymentName, Told[]>();
  readonly #sums = new Map<DeploymentName, { readonly missing: Set<number>; finish(): void }>();
  readonly #asked = new Map<DeploymentName, Promise<string>>();

  /** `ask` asks all workers that run, and says which those are. */
  constructor(ask: (deployment: DeploymentName) => Iterable<number>, droppedLines: () => number) {
    this.#ask = ask;
    this.#droppedLines = droppedLines;
  }

  /** The text of all of them together. Those who ask at the same time share it. */
  sum(deployment: DeploymentName): Promise<string> {
    const asked = this.#asked.get(deployment) ?? this.#sum(deployment);
    this.#asked.set(deployment, asked);
    return asked.finally(() => this.#asked.delete(deployment));
  }

  take(worker: number, deployment: DeploymentName, metrics: Told): void {
    const ofWorker = this.#told.get(worker) ?? new Map();
    this.#told.set(worker, ofWorker.set(deployment, metrics));
    const sum = this.#sums.get(deployment);
    sum?.missing.delete(worker);
    if (sum?.missing.size === 0) sum.finish();
  }

  ended(worker: number): void {
    for (const [deployment, metrics] of this.#told.get(worker) ?? []) {
      const ofDead = this.#ofDead.get(deployment) ?? [];
      ofDead.push(metrics.filter(({ type }) => GROWING.includes(String(type))));
      this.#ofDead.set(deployment, ofDead);
    }
    this.#told.delete(worker);
  }

  async #sum(deployment: DeploymentName): Promise<string> {
    const { promise: complete, resolve: finish } = Promise.withResolvers<void>();
    this.#sums.set(deployment, { missing: new Set(this.#ask(deployment)), finish });
    const late = setTimeout(finish, PATIENCE_MS);
    await complete;
    clearTimeout(late);
    const told = Array.from(this.#told.values(), (ofWorker) => ofWorker.get(deployment) ?? []);
    const ofDead = this.#ofDead.get(deployment) ?? [];
    if (ofDead.length > 1) ofDead.push(await added(ofDead.splice(0)).getMetricsAsJSON());
    return added([...told, ...ofDead, await this.#own(deployment)]).metrics();
  }

  /** The lines of all workers go through this process, which may have to drop some. */
  async #own(deployment: DeploymentName): Promise<Told> {
    const registry = new Registry();
    registry.setDefaultLabels({ deployment });
    const name = 'petstore_log_lines_dropped_total';
    new Counter({ name, help: name, registers: [registry] }).inc(this.#droppedLines());
    return registry.getMetricsAsJSON();
  }
}

function added(all: readonly Told[]): Registry {
  return AggregatorRegistry.aggregate(all as object[][]);
}
