import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createStallTimer } from '../../src/commands/stall-timer.ts';
import { everyCase, processes } from '../support/effort.ts';
import { anyEngine, sqlite, temporaryFolder } from '../support/engines.ts';
import { exchange, openSocket, readAll } from '../support/http.ts';
import {
  main,
  requesterFor,
  spawnProgram,
  startProgram,
  TIMEOUT_MS,
  withModule,
} from '../support/program.ts';
import { startService } from '../support/service.ts';
import { slowIt } from '../support/slow-it.ts';

/** The other tests here stop it with SIGTERM. */
const signals = everyCase ? (['SIGTERM', 'SIGINT'] as const) : (['SIGINT'] as const);

describe.concurrent.each(anyEngine)('stopping the program on $name', (engine) => {
  it.each(signals)('%s ends it with exit code 0, quietly, even with idle clients', async (signal) => {
    await using database = await engine.create();
    await using program = await startProgram([...database.flags, '--port', '0']);
    const silent = await openSocket(program.port);
    const half = await openSocket(program.port);
    half.write('GET /v1/pets HTTP/1.1\r\nHost: x\r\n');
    const reading = [readAll(silent), readAll(half)];
    expect((await program.request('GET /v1/pets', { key: program.key })).status).toBe(200);
    expect(await program.stop(signal)).toMatchObject({ code: 0, stderr: '' });
    await Promise.all(reading);
  });

  it('finishes the cancel in progress, and it is on disk', async () => {
    await using database = await engine.create();
    await using program = await startProgram([...database.flags, '--port', '0']);
    const socket = await openSocket(program.port);
    const reading = readAll(socket);
    let stopped: Promise<{ code: number | null }>;
    {
      await using _ = await database.holdWriters();
      // `100 Continue` shows that the request has arrived.
      const invited = new Promise((resolve) => socket.once('data', resolve));
      socket.write(
        `DELETE /v1/store/orders/2 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${program.key}\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n`,
      );
      await invited;
      socket.write('{}');
      stopped = program.stop('SIGTERM');
      await program.logged('stopping');
    }
    expect((await reading).toString()).toMatch(/HTTP\/1\.1 204 No Content\r\n/);
    expect((await stopped).code).toBe(0);
    const [order] = await database.rows(
      "SELECT status FROM orders WHERE id = 2 AND store_id = (SELECT id FROM stores WHERE owner = 'demonstration')",
    );
    expect(order?.status).toBe('cancelled');
  });
});

describe.each(processes('1'))('stopping with --drain: %s processes', (workers) => {
  const flags = ['--port', '0', '--workers', workers, '--drain'];

  it('it is not ready but serves while it drains', async () => {
    await using database = await sqlite.create();
    await using program = await startProgram([...database.flags, ...flags, '3600']);
    const sendRequest = requesterFor(program.port);
    const stopped = program.stop('SIGTERM');
    await program.logged('stopping');
    await expect
      .poll(async () => (await sendRequest('GET /readyz')).json())
      .toMatchObject({ code: 'unavailable', status: 503n });
    expect((await sendRequest('GET /healthz')).status).toBe(200);
    expect((await sendRequest('DELETE /v1/store/orders/2', { key: program.key })).status).toBe(204);
    await program[Symbol.asyncDispose]();
    expect((await stopped).code).toBe(null);
  });

  it('it closes its port after that, and exits', async () => {
    await using database = await sqlite.create();
    await using program = await startProgram([...database.flags, ...flags, '1']);
    const begun = performance.now();
    expect((await program.stop('SIGTERM')).code).toBe(0);
    expect(performance.now() - begun).toBeGreaterThan(1_000);
    await expect(requesterFor(program.port)('GET /healthz')).rejects.toThrow('ECONNREFUSED');
  });
});

it('of 200 clients with open connections, none gets a reset when the service closes', async () => {
  await using service = await startService(sqlite);
  const clients = Array.from({ length: 200 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  const sendRequest = (agent: Agent) => exchange(service.port, agent, 'GET', '/healthz', {});
  await Promise.all(clients.map(sendRequest));
  const closed = service.app.close(60_000);
  const met = await Promise.all(
    clients.map(async (agent) => {
      // One more request on the connection that it has.
      const { status, headers } = await sendRequest(agent);
      return [status, headers.connection];
    }),
  );
  expect(met).toEqual(clients.map(() => [200, 'close']));
  await closed;
});

it('the program stops even if its log is not read', async () => {
  await using database = await sqlite.create();
  // A shell pipe whose reader exits after the first line.
  const script = '{ "$@" & echo $! >&2; wait $!; echo $? >&2; } | head -n 1';
  const args = [process.execPath, main, 'serve', '--port', '0', ...database.flags];
  const shell = spawn('sh', ['-c', script, 'sh', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const reported = text(shell.stderr);
  const [pid] = await once(shell.stderr, 'data');
  await once(shell.stdout, 'data');
  process.kill(Number(pid), 'SIGTERM');
  const timer = setTimeout(() => process.kill(Number(pid), 'SIGKILL'), TIMEOUT_MS);
  expect(await reported).toBe(`${Number(pid)}\n0\n`);
  clearTimeout(timer);
});

slowIt('waiting log lines are read to the last when the program stops', async () => {
  await using database = await sqlite.create();
  const { child, ended, output } = spawnProgram(['serve', '--port', '0', ...database.flags]);
  await expect.poll(() => output.stdout).toMatch(/^docs .*\n/m);
  const request = requesterFor(Number(/:(\d+)\//.exec(output.stdout)?.[1]));
  child.stdout.pause();
  const paths = Array.from({ length: 1_000 }, (_, i) => `/${i}/`);
  for (const path of paths) await request(`GET ${path}${'x'.repeat(400)}`);
  child.kill('SIGTERM');
  child.stdout.resume();
  const { code, stdout } = await ended;
  expect(code).toBe(0);
  expect(paths.filter((path) => !stdout.includes(path))).toEqual([]);
});

it('an unresponsive disk is 503 for changes, and does not block a stop', async () => {
  await using database = await sqlite.create();
  using folder = temporaryFolder();
  const pipe = join(folder.path, 'pipe');
  await using program = await startProgram([...database.flags, '--port', '0'], {
    ...withModule(new URL('../support/hang-on-file.ts', import.meta.url)),
    env: { HANG_AT: pipe },
    timeouts: { flushTimeoutMs: TIMEOUT_MS, callTimeoutMs: 70, stopTimeoutMs: 100 },
  });
  const { key } = program;
  execFileSync('mkfifo', [pipe]);
  expect((await program.request('DELETE /v1/store/orders/6', { key })).status).toBe(503);
  // Reads still work.
  expect((await program.request('GET /v1/pets', { key })).status).toBe(200);
  // To exit in order would wait for the thread that hangs.
  expect(await program.stop('SIGTERM')).toMatchObject({ code: null, stderr: 'it hangs\n' });
  expect(program.output.stdout).toContain('shutdown timed out; killing the process');
  expect(await database.rows("SELECT id FROM orders WHERE status = 'cancelled'")).toEqual([]);
});

it('a process with a blocked event loop is killed, so that a stop always ends it', async () => {
  await using database = await sqlite.create();
  await using program = await startProgram([...database.flags, '--port', '0'], {
    ...withModule(new URL('../support/hang-on-signal.ts', import.meta.url)),
    timeouts: { hangTimeoutMs: 200 },
  });
  process.kill(program.pid, 'SIGUSR2');
  expect(await program.stop('SIGTERM')).toMatchObject({
    code: null,
    stderr: 'petstore: the event loop has been blocked for 0.2 s; killing the process\n',
  });
});

it('time spent waiting for a CPU does not count as blocked', () => {
  let waitedMs = 0;
  const schedstat = `/proc/${process.pid}/schedstat`;
  const spied = vi.spyOn(fs, 'readFileSync');
  onTestFinished(() => spied.mockRestore());
  spied.mockImplementation((path) => {
    expect(path).toBe(schedstat);
    return `1 ${waitedMs * 1e6} 1\n`;
  });
  const stalledMs = createStallTimer(process.pid, 1_000);
  const ticks = (count: number, waitedOf: number) =>
    Array.from({ length: count }, () => {
      waitedMs += waitedOf;
      return stalledMs(false);
    }).at(-1);
  expect(ticks(10, 0)).toBe(10_000);
  expect(stalledMs(true)).toBe(0);
  expect(ticks(100, 1_000)).toBe(0);
  // Any CPU time it gets counts as time to make progress.
  expect(ticks(100, 900)).toBe(10_000);
  // It is notified once the process runs again.
  expect(stalledMs(true)).toBe(0);
  expect(ticks(5, 0)).toBe(5_000);
  expect(ticks(1, 5_000)).toBe(1_000);
});

it('a signal to npm stops the service that npm start has started', async () => {
  using folder = temporaryFolder();
  const started = spawn('npm', ['start', '--', '--port', '0', '--data', folder.path], {
    cwd: join(import.meta.dirname, '../../..'),
  });
  const [port] = await new Promise<string[]>((resolve) => {
    let printed = '';
    started.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      const [, ...found] = /127\.0\.0\.1:(\d+)\/v1/.exec(printed) ?? [];
      if (found.length > 0) resolve(found);
    });
  });
  started.kill('SIGTERM');
  const isServing = () =>
    requesterFor(Number(port))('GET /healthz').then(
      () => true,
      () => false,
    );
  await expect.poll(isServing).toBe(false);
});
