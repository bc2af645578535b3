import { once } from 'node:events';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { type OpenDeployment, openDeployment } from '../app/open-deployment.ts';
import type { ServerCommand } from '../config/flags.ts';
import { isLoopback } from '../config/loopback.ts';
import { type ServeConfig, serveConfigFrom } from '../config/serve-config.ts';
import { timeouts } from '../config/timeouts.ts';
import { lockServedDatabase } from '../database/database-files.ts';
import { schemaVersion } from '../database/migrations.ts';
import { type Log, openLog } from '../telemetry/log.ts';
import { announce, removeEnvFile } from './announce.ts';
import { ensureDemonstrationKey } from './demonstration-account.ts';
import { exitWhenHanging } from './exit-when-hanging.ts';
import { runDeployments } from './run-deployments.ts';
import { exitWhenSupervisorDies, reportListening } from './worker.ts';

/** The first process opens and prepares the databases, then serves them, or closes them and supervises workers that do. */
export const serve: ServerCommand = (values) => serveWith(serveConfigFrom(values));

export async function serveWith(config: ServeConfig): Promise<void> {
  const stream = config.json ? process.stderr : process.stdout;
  const output = openLog(config.logLevel, stream, config.logFormat);
  const stop = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
  const { PETSTORE_WORKER: role } = process.env;
  try {
    if (role !== undefined && process.send) {
      exitWhenSupervisorDies();
      await runDeployments(config, output, JSON.parse(role), stop, reportListening);
    } else await serveFirst(config, output, stop);
  } finally {
    await output.end();
    // Lets a worker that failed to start exit although the channel to the supervisor is open.
    process.channel?.unref();
  }
  // Exit explicitly: otherwise the process would wait for a reader that does not drain its output.
  process.exit();
}

async function serveFirst(config: ServeConfig, output: Log, stop: Promise<unknown>): Promise<void> {
  const { log } = output;
  removeEnvFile(config);
  using locks = new DisposableStack();
  await using opened = new AsyncDisposableStack();
  const prepared = await Array.fromAsync(config.deployments, async (name) => {
    const deployment = opened.use(await openDeployment(name, config, timeouts));
    return { deployment, ...(await prepare(deployment, config, log, locks)) };
  });
  const uncleanDeployments = prepared
    .filter(({ previousState }) => previousState === 'unclean')
    .map(({ name }) => name);
  const onListening = (origins: readonly string[]) => {
    const started = prepared.map(({ name, key }, i) => ({ name, origin: origins[i] ?? '', key }));
    announce(started, config);
    for (const { name, previousState } of prepared)
      if (previousState === 'missing')
        log.warn({ deployment: name }, `no ${name} database found: created a new one`);
    warnOfPlainHttp(config, log);
    if (config.workers === 1) exitWhenHanging(timeouts.hangTimeoutMs);
  };
  const stopping = stop.then(() => log.info('stopping'));
  if (config.workers === 1) {
    const deployments = prepared.map(({ deployment }) => deployment);
    await runDeployments(
      config,
      output,
      { number: 1, uncleanDeployments },
      stopping,
      onListening,
      deployments,
    );
  } else {
    await opened.disposeAsync();
    const { supervise } = await import('./supervise.ts');
    await supervise(config, output, uncleanDeployments, stopping, onListening);
  }
}

async function prepare(deployment: OpenDeployment, config: ServeConfig, log: Logger, locks: DisposableStack) {
  const { name, previousState, migratedFrom: from } = deployment;
  if (from) log.info({ deployment: name, from, to: schemaVersion }, 'database migrated');
  const key = await ensureDemonstrationKey(deployment, config);
  if (config.database !== undefined) return { name, key, previousState };
  const { isShared } = locks.use(lockServedDatabase(join(config.data, `${name}.db`)));
  if (isShared)
    log.warn(
      { deployment: name, data: config.data },
      'another process is already serving this data directory',
    );
  // A database that another process has open was not left unclean.
  return { name, key, previousState: isShared && previousState === 'unclean' ? 'clean' : previousState };
}

function warnOfPlainHttp({ host, deployments, publicAddresses }: ServeConfig, log: Logger): void {
  if (isLoopback(host) || deployments.every((name) => publicAddresses[name] !== undefined)) return;
  log.warn(
    { host },
    'serving plain HTTP on a non-loopback address: keys and passwords can be intercepted. ' +
      'Put a TLS proxy in front, and set its URL with --base-url or --staging-base-url',
  );
}
