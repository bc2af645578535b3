import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Job } from '../concurrency/background-jobs.ts';
import type { ServeConfig } from '../config/serve-config.ts';
import { createFolder } from '../database/database-files.ts';
import type { DeploymentName } from '../domain/deployment.ts';
import { runInChildProcess } from './child-process.ts';
import type { WorkerRole } from './worker.ts';

const DAY_MS = 86_400_000;

/** Backup and check jobs of an embedded database. They run in child processes, so that no request waits for them. */
export function maintenanceJobs(
  name: DeploymentName,
  { data, backup }: ServeConfig,
  { number, uncleanDeployments }: WorkerRole,
  log: Logger,
): Job[] {
  const locationArgs = ['--deployment', name, '--data', data];
  const copy = async (target: string, signal: AbortSignal) => {
    const { code, stderr } = await runInChildProcess(['backup', target, ...locationArgs], signal);
    if (signal.aborted) return;
    if (code !== 0) throw new Error(stderr);
    log.info({ file: target }, 'database backed up');
  };
  const jobs: Job[] = [];
  if (backup && number === 1) jobs.push(backUpRegularly(name, join(data, 'backups'), backup, copy));
  if (uncleanDeployments.includes(name)) jobs.push(checkOnce(locationArgs, log));
  return jobs;
}

function checkOnce(locationArgs: readonly string[], log: Logger): Job {
  log.warn('the database was not shut down cleanly; checking it in the background');
  let outcome: { at: number; succeeded: boolean } | undefined;
  return {
    name: 'check',
    lastOutcome: () => outcome,
    intervalMs: DAY_MS,
    async run(signal) {
      if (outcome) return;
      const { code, stdout, stderr } = await runInChildProcess(['check', ...locationArgs], signal);
      if (signal.aborted) return;
      const problems = stdout.split('\n').filter((line) => line !== '' && !line.endsWith(': ok'));
      const succeeded = problems.length === 0;
      if (code !== 0 && succeeded) throw new Error(`database check failed: ${stderr}`);
      outcome = { at: Date.now(), succeeded };
      if (succeeded) log.info('database check passed');
      else log.error({ problems: problems.slice(0, 20) }, 'the database is damaged');
    },
  };
}

export function backUpRegularly(
  name: DeploymentName,
  folder: string,
  { everyMs, keep }: NonNullable<ServeConfig['backup']>,
  copy: (target: string, signal: AbortSignal) => Promise<void>,
): Job {
  const filesLike = (end: RegExp) =>
    readdirSync(folder).filter((file) => file.startsWith(`${name}-`) && end.test(file));
  const removeUnfinished = () => {
    for (const file of filesLike(/\.db\.part(-\w+)?$/)) rmSync(join(folder, file), { force: true });
  };
  /** Oldest first. A backup dated in the future, left by a clock that was ahead, counts as the oldest. */
  const copies = (now: number) =>
    filesLike(/\.db$/)
      .map((file) => ({ file, createdAt: statSync(join(folder, file)).mtimeMs }))
      .map(({ file, createdAt }) => ({ file, createdAt: createdAt > now ? 0 : createdAt }))
      .sort((a, b) => a.createdAt - b.createdAt || (a.file < b.file ? -1 : 1));
  const newest = (now: number) => copies(now).at(-1)?.createdAt ?? 0;
  let succeeded = true;
  return {
    name: 'backup',
    lastOutcome: () => ({ at: existsSync(folder) ? newest(Date.now()) : 0, succeeded }),
    // Polls more often than it runs, so that a restart does not postpone a backup.
    intervalMs: Math.min(everyMs, 60_000),
    async run(signal) {
      createFolder(folder);
      removeUnfinished();
      const now = Date.now();
      if (now - newest(now) < everyMs) return;
      await copy(join(folder, `${name}-${timestamp(now)}.db`), signal).catch((error) => {
        succeeded = false;
        throw error;
      });
      succeeded = true;
      removeUnfinished();
      for (const { file } of copies(Date.now()).slice(0, -keep)) rmSync(join(folder, file));
    },
  };
}

export function timestamp(now: number): string {
  return new Date(now).toISOString().replaceAll(':', '-');
}
