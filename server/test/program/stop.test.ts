import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { anyEngine, engines, sqlite, temporaryFolder } from '../support/engines.ts';
import { exchange, openSocket, readAll } from '../support/http.ts';
import { loading, main, PATIENCE_MS, requesterFor, spawnProgram, startProgram } from '../support/program.ts';
import { startService } from '../support/service.ts';

describe.concurrent.each(engines)('stopping the program on $name', (engine) => {
  it.each(anyEngine.includes(engine) ? (['SIGTERM', 'SIGINT'] as const) : (['SIGTERM'] as const))(
    '%s ends it with exit code 0, quietly, whichever client says nothing',
    async (signal) => {
      await using database = await engine.create();
      await using program = await startProgram([...database.flags, '--port', '0']);
      const silent = await openSocket(program.port);
      const half = await openSocket(program.port);
      half.write('GET /v1/pets HTTP/1.1\r\nHost: x\r\n');
      const reading = [readAll(silent), readAll(half)];
      expect((await program.request('GET /v1/pets', { key: program.key })).status).toBe(200);
      expect(await program.stop(signal)).toMatchObject({ code: 0, stderr: '' });
      await Promise.all(reading);
    },
  );

  it('finishes the cancel that is under way, and it is on disk', async () => {
    await using database = await engine.create();
    await using program = await startProgram([...database.flags, '--port', '0']);
    const socket = await openSocket(program.port);
    const reading = readAll(socket);
    let stopped: Promise<{ code: number | null }>;
    {
      await using _ = await database.holdWriters();
      // The invitation to go on says that the request has arrived.
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

it.each(['1', '2'])(
  'told to stop with --drain, it is not ready but serves, and then closes its port: %s processes',
  async (workers) => {
    await using database = await sqlite.create();
    const flags = [...database.flags, '--port', '0', '--workers', workers];
    await using program = await startProgram([...flags, '--drain', '10']);
    const ask = requesterFor(program.port);
    const told = performance.now();
    const stopped = program.stop('SIGTERM');
    await program.logged('stopping');
    await expect
      .poll(async () => (await ask('GET /readyz')).json())
      .toMatchObject({ code: 'unavailable', status: 503n });
    expect((await ask('GET /healthz')).status).toBe(200);
    expect((await ask('DELETE /v1/store/orders/2', { key: program.key })).status).toBe(204);
    expect((await stopped).code).toBe(0);
    expect(performance.now() - told).toBeGreaterThan(10_000);
    await expect(ask('GET /healthz')).rejects.toThrow('ECONNREFUSED');
  },
);

it('of 200 clients that keep their connections, none meets a reset when the service closes', async () => {
  await using service = await startService(sqlite);
  const clients = Array.from({ length: 200 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  const ask = (agent: Agent) => exchange(service.port, agent, 'GET', '/healthz', {});
  await Promise.all(clients.map(ask));
  const closed = service.app.close(60_000);
  const met = await Promise.all(
    clients.map(async (agent) => {
      // One more request on the connection that it has.
      const { status, headers } = await ask(agent);
      return [status, headers.connection];
    }),
  );
  expect(met).toEqual(clients.map(() => [200, 'close']));
  await closed;
});

it('stopping the program ends it also when nobody reads its log any more', async () => {
  await using database = await sqlite.create();
  // A pipe of the shell's, whose reader leaves after the first line.
  const script = '{ "$@" & echo $! >&2; wait $!; echo $? >&2; } | head -n 1';
  const args = [process.execPath, main, 'serve', '--port', '0', ...database.flags];
  const shell = spawn('sh', ['-c', script, 'sh', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const told = text(shell.stderr);
  const [pid] = await once(shell.stderr, 'data');
  await once(shell.stdout, 'data');
  process.kill(Number(pid), 'SIGTERM');
  const patience = setTimeout(() => process.kill(Number(pid), 'SIGKILL'), PATIENCE_MS);
  expect(await told).toBe(`${Number(pid)}\n0\n`);
  clearTimeout(patience);
});

it('lines of the log that wait for their reader are read to the last when the program stops', async () => {
  await using database = await sqlite.create();
  const { child, ended, output } = spawnProgram(['serve', '--port', '0', ...database.flags]);
  await expect.poll(() => output.stdout).toMatch(/^docs .*\n/m);
  const request = requesterFor(Number(/:(\d+)\//.exec(output.stdout)?.[1]));
  child.stdout.pause();
  const asked = Array.from({ length: 1_000 }, (_, i) => `/${i}/`);
  for (const path of asked) await request(`GET ${path}${'x'.repeat(400)}`);
  child.kill('SIGTERM');
  child.stdout.resume();
  const { code, stdout } = await ended;
  expect(code).toBe(0);
  expect(asked.filter((path) => !stdout.includes(path))).toEqual([]);
});

it('a disk that does not answer is 503 for changes, and does not keep the program from stopping', async () => {
  await using database = await sqlite.create();
  using folder = temporaryFolder();
  const pipe = join(folder.path, 'pipe');
  await using program = await startProgram([...database.flags, '--port', '0'], {
    ...loading(new URL('../support/hang-when-told.ts', import.meta.url)),
    env: { HANG_AT: pipe },
  });
  const { key } = program;
  expect((await program.request('DELETE /v1/store/orders/2', { key })).status).toBe(204);
  execFileSync('mkfifo', [pipe]);
  const answer = program.request('DELETE /v1/store/orders/6', { key });
  await expect.poll(() => program.output.stderr).toContain('it hangs');
  // Reading goes on.
  expect((await program.request('GET /v1/pets', { key })).status).toBe(200);
  const stopped = program.stop('SIGTERM');
  expect((await answer).status).toBe(503);
  // To exit in order would wait for the thread that hangs.
  expect(await stopped).toMatchObject({ code: null, stderr: 'it hangs\n' });
  expect(program.output.stdout).toContain('the service leaves it behind');
  const statuses = "SELECT id FROM orders WHERE status = 'cancelled' AND id IN (2, 6)";
  expect(await database.rows(statuses)).toEqual([{ id: 2n }]);
});

it('a process that hangs ends by itself after ten seconds, so that a stop always ends it', async () => {
  await using database = await sqlite.create();
  const flags = [...database.flags, '--port', '0'];
  await using program = await startProgram(
    flags,
    loading(new URL('../support/hang-on-signal.ts', import.meta.url)),
  );
  process.kill(program.pid, 'SIGUSR2');
  expect(await program.stop('SIGTERM')).toMatchObject({
    code: null,
    stderr: 'petstore: the process hangs and is ended\n',
  });
});

it('a signal to npm ends what npm start has started', async () => {
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
