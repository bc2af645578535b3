import type { Worker } from 'node:cluster';
import type { Registry } from 'prom-client';
import type { DeploymentName } from '../deployment.ts';
import type { Reached } from '../writer/verb.ts';
import type { OpenWriter } from '../writer/writer.ts';

export type Metrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

export interface WorkerRole {
  readonly number: number;
  readonly of: number;
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

export const ALIVE_MS = 1_000;

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
