import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { root } from '../cached-build.ts';

const WAIT = { timeout: 200_000, interval: 50 };
/** Test files that start the program several times, and a PostgreSQL. */
const files = ['server/test/program/stop.test.ts', 'server/test/postgres/starting.test.ts'];

function environmentOf(pid: string): Record<string, string> {
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    return Object.fromEntries(variables.map((each) => each.split(/=(.*)/s)));
  } catch {
    return {};
  }
}

/** The run folders of all processes that inherited a mark. */
const foldersOf = (mark: string) =>
  readdirSync('/proc')
    .map(environmentOf)
    .filter(({ MARK, TEST_RUN_FOLDER }) => MARK === mark && TEST_RUN_FOLDER !== process.env.TEST_RUN_FOLDER)
    .map(({ TEST_RUN_FOLDER = '' }) => TEST_RUN_FOLDER);

const interruptions = {
  'kill -9 of the runner': (_: number, runner: number) => process.kill(runner, 'SIGKILL'),
  'kill -9 of npm': (npm: number) => process.kill(npm, 'SIGKILL'),
  'kill of npm': (npm: number) => process.kill(npm, 'SIGTERM'),
  'Ctrl-C': (npm: number) => process.kill(-npm, 'SIGINT'),
};

it.skipIf(process.platform !== 'linux').each(Object.entries(interruptions))(
  '%s in the middle of a run leaves no process and no file',
  async (_, interrupt) => {
    const MARK = randomUUID();
    const env = { ...process.env, MARK };
    const npm = spawn('npm', ['test', '--', ...files], { cwd: root, detached: true, stdio: 'ignore', env });
    const ended = once(npm, 'exit');
    // PostgreSQL, two workers, and a program that a test has started.
    await vi.waitUntil(() => foldersOf(MARK).length >= 4, WAIT);
    const [folder = ''] = foldersOf(MARK);
    expect(existsSync(folder)).toBe(true);
    interrupt(npm.pid as number, Number(folder.split('-').at(-1)));
    await ended;
    await vi.waitUntil(() => foldersOf(MARK).length === 0 && !existsSync(folder), WAIT);
  },
);
