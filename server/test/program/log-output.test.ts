import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { PassThrough } from 'node:stream';
import { setImmediate as nextTick, setTimeout as pause } from 'node:timers/promises';
import type { WriteStream } from 'node:tty';
import { expect, it } from 'vitest';
import { openLog } from '../../src/telemetry/log.ts';
import { everyCase, processes } from '../support/effort.ts';
import { sqlite, temporaryFolder } from '../support/engines.ts';
import { freePort } from '../support/free-port.ts';
import { exchange, requester } from '../support/http.ts';
import { main, TIMEOUT_MS } from '../support/program.ts';
import { slowIt } from '../support/slow-it.ts';
import { mayMount, smallDisk } from '../support/small-disk.ts';
import { withoutTimeLimits } from '../support/without-time-limits.ts';

/** The program with a given standard output, once it responds. */
async function startWithOutput(stdout: 'pipe' | number, flags: readonly string[]) {
  const port = await freePort();
  const child = spawn(process.execPath, [main, 'serve', '--port', String(port), ...flags], {
    stdio: ['ignore', stdout, 'inherit'],
  });
  const ended = once(child, 'exit');
  const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS);
  const agent = new Agent({ keepAlive: true });
  const request = requester(port, agent);
  while (child.exitCode === null && !(await request('GET /healthz').catch(() => undefined))) await pause(10);
  return {
    child,
    port,
    request,
    agent,
    async stop() {
      child.kill('SIGTERM');
      const [code] = await ended;
      clearTimeout(timer);
      agent.destroy();
      return code;
    },
  };
}

/** As long as a path may be, so that few requests fill what may wait. */
const longPath = `/${'./'.repeat(4000)}`;

it.each(processes('1'))(
  'a log on a full disk delays no request and no stop, and counts its lost lines: %s processes',
  async (workers) => {
    await using database = await sqlite.create();
    const full = openSync('/dev/full', 'w');
    const program = await startWithOutput(full, [...database.flags, '--workers', workers]);
    closeSync(full);
    for (;;) {
      await Promise.all(
        Array.from({ length: 50 }, () => exchange(program.port, program.agent, 'GET', longPath, {})),
      );
      const { text: metrics } = await program.request('GET /metrics');
      if (/^petstore_log_lines_dropped_total\{.*\} [1-9]/m.test(metrics)) break;
    }
    expect(await program.stop()).toBe(0);
  },
);

slowIt(
  'a stalled log reader takes bounded memory, and gets the number of dropped lines when it resumes',
  async () => {
    await using database = await sqlite.create();
    const program = await startWithOutput('pipe', database.flags);
    for (let dropped = false; !dropped; ) {
      await Promise.all(
        Array.from({ length: 50 }, () => exchange(program.port, program.agent, 'GET', longPath, {})),
      );
      const { text: metrics } = await program.request('GET /metrics');
      dropped = /^petstore_log_lines_dropped_total\{.*\} [1-9]/m.test(metrics);
    }
    const output = program.child.stdout as NonNullable<typeof program.child.stdout>;
    let read = '';
    output.setEncoding('utf8').on('data', (text: string) => {
      read += text;
    });
    const reported = () => /^\{.*"dropped":.*\}$/m.exec(read)?.[0];
    while (reported() === undefined) await once(output, 'data');
    expect(JSON.parse(reported() ?? '')).toMatchObject({ level: 'warn', dropped: expect.any(Number) });
    expect(await program.stop()).toBe(0);
  },
);

it.runIf(everyCase).each(['json', 'pretty'])(
  'a log reader that never resumes does not keep the service from responding and stopping: %s lines',
  async (format) => {
    await using database = await sqlite.create();
    const program = await startWithOutput('pipe', [...database.flags, '--log-format', format]);
    // More than a pipe or a socket holds.
    for (let i = 0; i < 100; i++) await exchange(program.port, program.agent, 'GET', longPath, {});
    expect(await program.stop()).toBe(0);
  },
);

/** `script` gives a program a terminal, and passes on what it writes there. */
const mayScript = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0;

it.runIf(mayScript && everyCase).each(['1', '2'])(
  'a stalled terminal does not keep the service from responding and stopping: %s processes',
  async (workers) => {
    await using database = await sqlite.create();
    using folder = temporaryFolder();
    const port = await freePort();
    const serve = [process.execPath, main, 'serve', '--port', port, ...database.flags, '--workers', workers];
    // The shell itself writes nothing there: it would wait as well.
    const noteEnd = 'exec 2> /dev/null; echo $! > pid; wait $!; echo $? > code';
    const command = `${serve.map((word) => `'${word}'`).join(' ')} & ${noteEnd}`;
    const terminal = spawn('script', ['-qc', command, '/dev/null'], { cwd: folder.path });
    const agent = new Agent({ keepAlive: true });
    let shown = '';
    terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
      shown += text;
    });
    // Until then, users wait for the terminal to show the address.
    await expect.poll(() => shown).toContain(`:${port}`);
    terminal.stdout.pause();
    // More than a terminal and a pipe hold.
    for (let i = 0; i < 100; i++) await exchange(port, agent, 'GET', longPath, {});
    process.kill(Number(readFileSync(`${folder.path}/pid`, 'utf8')), 'SIGTERM');
    await expect.poll(() => existsSync(`${folder.path}/code`)).toBe(true);
    terminal.kill('SIGKILL');
    agent.destroy();
  },
);

/** A log on a file, which it closes when it ends. */
const openLogOn = (path: string) =>
  openLog('info', { fd: openSync(path, 'w'), isTTY: false } as WriteStream & { fd: number });

it('a log that cannot be written does not wait for its last lines', async () => {
  const output = await openLogOn('/dev/full');
  output.log.info('last');
  // With an unreachable limit, it only ends naturally.
  withoutTimeLimits();
  await output.end();
});

it.runIf(mayMount)(
  'lines that a full disk rejected are written when it has space, even without new ones',
  async () => {
    using disk = smallDisk('64k');
    const [path, filling] = [`${disk.path}/log`, `${disk.path}/filling`];
    expect(() => writeFileSync(filling, 'x'.repeat(100_000))).toThrow('ENOSPC');
    const output = await openLogOn(path);
    output.log.info('the last line for long');
    await pause(50);
    expect(readFileSync(path, 'utf8')).toBe('');
    rmSync(filling);
    await expect.poll(() => readFileSync(path, 'utf8')).toContain('the last line for long');
    await output.end();
  },
);

it('a line during or after the log’s end is dropped', async () => {
  const uncaught: unknown[] = [];
  const note = (error: unknown) => void uncaught.push(error);
  process.on('uncaughtException', note);
  const output = await openLogOn('/dev/null');
  const ofWorker = new PassThrough();
  output.forward(ofWorker);
  const ended = output.end();
  for (let turn = 0; turn < 5; turn++) {
    output.log.info('late');
    ofWorker.write('late\n');
    await nextTick();
  }
  await ended;
  output.log.info('later');
  await nextTick();
  process.off('uncaughtException', note);
  expect(uncaught).toEqual([]);
});

const logModule = JSON.stringify(new URL('../../src/telemetry/log.ts', import.meta.url));

/** A program that logs with our log, and then does something else. */
const programThat = (does: string) => `
  const { openLog } = await import(${logModule});
  const { log, end } = openLog('info', process.stdout, 'json');
  ${does}`;

it('a failing process has written its earlier log lines', () => {
  const program = programThat(`
    setTimeout(() => {
      log.info('the last line');
      throw new Error('on purpose');
    });`);
  const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '--eval', program]);
  expect(status).toBe(1);
  expect(String(stdout)).toContain('the last line');
});

it('a log without a reader ends at once', async () => {
  const program = programThat(`
    process.stdin.once('data', async () => {
      log.info('for nobody');
      // With an unreachable limit, it only ends naturally.
      AbortSignal.timeout = () => new AbortController().signal;
      setInterval(() => {}, 1_000);
      await end();
      process.exit(0);
    });
    log.info('a line');`);
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program]);
  const ended = once(child, 'exit');
  await once(child.stdout, 'data');
  child.stdout.destroy();
  child.stdin.write('on');
  expect(await ended).toEqual([0, null]);
});
