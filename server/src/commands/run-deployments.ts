import { setTimeout as sleep } from 'node:timers/promises';
import { buildApp } from '../app/app.ts';
import { type OpenDeployment, openDeployment } from '../app/open-deployment.ts';
import type { ServeConfig } from '../config/serve-config.ts';
import { timeouts } from '../config/timeouts.ts';
import type { DeploymentName } from '../domain/deployment.ts';
import type { Log } from '../telemetry/log.ts';
import { originOf, serversOf } from './addresses.ts';
import { maintenanceJobs } from './maintenance.ts';
import { shareCommits, shareMetrics, type WorkerRole } from './worker.ts';

/** During shutdown, clients get this much time to reconnect elsewhere. */
const RECONNECT_MS = 1_000;

export async function runDeployments(
  config: ServeConfig,
  output: Log,
  role: WorkerRole,
  stop: Promise<unknown>,
  onListening: (origins: readonly string[]) => void,
  opened: readonly OpenDeployment[] = [],
): Promise<void> {
  const { deployments, host, publicAddresses, listenOn } = config;
  const running: Array<Awaited<ReturnType<typeof open>>> = [];
  const ports = new Map<DeploymentName, number>();
  try {
    for (const name of deployments) running.push(await open(name));
    // Listen only once all deployments are ready, so that the announcement precedes the log.
    const origins: string[] = [];
    for (const { name, app } of running) {
      const listening = await app.listen(listenOn ?? { host, port: config.ports[name] });
      const port = listenOn ? config.ports[name] : listening;
      ports.set(name, port);
      origins.push(publicAddresses[name] ?? originOf(host, port));
    }
    onListening(origins);
    await stop;
    for (const { app } of running) app.reportNotReady();
    if (config.drainMs > 0) await sleep(config.drainMs);
  } finally {
    const killTimer = setTimeout(() => void killSelf(output), timeouts.stopTimeoutMs).unref();
    await Promise.all(running.map(({ end }) => end[Symbol.asyncDispose]()));
    clearTimeout(killTimer);
  }

  async function open(name: DeploymentName) {
    await using opening = new AsyncDisposableStack();
    const prepared = opened.find((deployment) => deployment.name === name);
    const deployment = opening.use(prepared ?? (await openDeployment(name, config, timeouts)));
    const log = output.log.child({ deployment: name });
    const isOneOfSeveral = config.workers > 1;
    if (isOneOfSeveral && config.database === undefined) shareCommits(deployment.writer, name);
    const app = buildApp({
      ...config,
      ...deployment,
      deployment: name,
      log,
      droppedLines: output.dropped,
      servers: serversOf(name, publicAddresses, ports),
      rateLimit: name === 'staging' ? config.stagingRateLimit : config.rateLimit,
      staticKey: name === 'staging' ? config.stagingKey : undefined,
      baseUrl: publicAddresses[name],
      webhooks: { allowPrivate: config.webhooksPrivate },
      sharedMetrics: isOneOfSeveral ? (own) => shareMetrics(own, name) : undefined,
      jobs: maintenanceJobs(name, config, role, log),
    });
    opening.defer(() => app.close(RECONNECT_MS));
    return { name, app, end: opening.move() };
  }
}

/** Exits immediately, without waiting for a hung thread. Acknowledged changes are already durable. */
async function killSelf({ log, end }: Log): Promise<void> {
  log.error({ timeoutMs: timeouts.stopTimeoutMs }, 'shutdown timed out; killing the process');
  await end();
  process.kill(process.pid, 'SIGKILL');
}
