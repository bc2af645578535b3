import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { quickDisk } from './quick-disk.ts';

/**
 * A test run has one folder for everything it writes. Every process it starts inherits the folder's name in its
 * environment, so a watcher can find and end all of them when the run is over, however it ended.
 */
const VARIABLE = 'TEST_RUN_FOLDER';
const GRACE_MS = 5000;
const watcher = fileURLToPath(new URL('./watch-test-run.ts', import.meta.url));

export async function openTestRun(): Promise<void> {
  // The folder names its owner: one whose owner and watcher were both killed is removed by the next run.
  const earlier = readdirSync(quickDisk).filter((name) => /^petstore-run-\d+$/.test(name));
  for (const name of earlier) {
    if (parentOf(Number(name.split('-')[2])) === undefined) await endTestRun(join(quickDisk, name));
  }
  const folder = join(quickDisk, `petstore-run-${process.pid}`);
  mkdirSync(folder);
  // PostgreSQL does not run as root: its own user has to reach its data in here.
  chmodSync(folder, 0o711);
  const args = [watcher, folder, ...launchers().map(String)];
  const child = spawn(process.execPath, args, { detached: true, stdio: ['pipe', 'ignore', 'inherit'] });
  child.unref();
  Object.assign(process.env, { [VARIABLE]: folder, TMPDIR: folder });
}

/** Ends every process of a run, detaches its disks and removes its folder. */
export async function endTestRun(folder: string): Promise<void> {
  const deadline = Date.now() + GRACE_MS;
  for (let pids = processesOf(folder); pids.length > 0; pids = processesOf(folder)) {
    for (const pid of pids) end(pid, Date.now() > deadline);
    await sleep(50);
  }
  for (const [, path = ''] of mounts().filter(([, path]) => path?.startsWith(`${folder}/`)))
    execFileSync('umount', ['--lazy', path]);
  rmSync(folder, { recursive: true, force: true });
}

/** PostgreSQL removes its shared memory when it quits normally; SIGCONT lets a suspended one handle the signal. */
function end(pid: number, isLate: boolean): void {
  const isPostgres = !isLate && readProc(pid, 'comm') === 'postgres\n';
  try {
    process.kill(pid, isPostgres ? 'SIGQUIT' : 'SIGKILL');
    process.kill(pid, 'SIGCONT');
  } catch {
    // It has exited.
  }
}

/** Linux only; on other systems a killed run leaves its processes. */
function processesOf(folder: string): number[] {
  return pids().filter(
    (pid) => pid !== process.pid && readProc(pid, 'environ').split('\0').includes(`${VARIABLE}=${folder}`),
  );
}

/** The processes between the shell and this one: npm and the scripts that it runs. */
function launchers(): number[] {
  const found = [process.pid];
  const isScript = (pid: number) =>
    /(^|\0)(npm_lifecycle_event|NODE_RUN_SCRIPT_NAME)=/.test(readProc(pid, 'environ'));
  for (let pid = process.pid; isScript(pid); pid = found.at(-1) as number) found.push(parentOf(pid) ?? 0);
  return found;
}

/** The parent of a process; undefined if there is no such process. */
export function parentOf(pid: number): number | undefined {
  const parent = /\) \S (\d+)/.exec(readProc(pid, 'stat'))?.[1];
  return parent === undefined ? undefined : Number(parent);
}

function pids(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Boolean);
  } catch {
    return [];
  }
}

const mounts = () =>
  readProc('self', 'mounts')
    .split('\n')
    .map((line) => line.split(' '));

/** Empty if the process has exited or belongs to another user. */
function readProc(pid: number | 'self', name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}
