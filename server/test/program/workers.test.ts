import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { everyCase } from '../support/effort.ts';
import { anyEngine, sqlite, type TestDatabase } from '../support/engines.ts';
import { readEvents } from '../support/event-reader.ts';
import { freePort } from '../support/free-port.ts';
import { openSocket, readAll } from '../support/http.ts';
import { type RunningProgram, requesterFor, spawnProgram, startProgram } from '../support/program.ts';
import { readMetrics } from '../support/read-metrics.ts';
import { slowIt } from '../support/slow-it.ts';

const json = { 'content-type': 'application/json' };
const workersOf = ({ pid }: { readonly pid?: number | undefined }) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);

describe.concurrent.each(anyEngine)('a service of several processes on $name', (engine) => {
  const start = async (flags: readonly string[]) => startProgram([...flags, '--port', '0', '--workers', '2']);
  /** Each request on a new connection: they are distributed among the workers. */
  const sendRequest = ({ port }: RunningProgram) => requesterFor(port);

  it('prints its address once; a change in one is visible to the others at once, and streamed; it stops as one', async () => {
    await using database = await engine.create();
    await using program = await start(database.flags);
    const { key } = program;
    expect(workersOf(program)).toHaveLength(2);
    expect(program.output.stdout.match(/^docs /gm)).toHaveLength(1);
    const readers = [await readEvents(program, { key }), await readEvents(program, { key })];
    for (let id = 41n; id < 51n; id++) {
      const body = '{"petId":1,"quantity":1}';
      const placed = await sendRequest(program)('POST /v2/store/orders', { key, headers: json, body });
      expect(placed.json()).toMatchObject({ id });
      for (let i = 0; i < 3; i++) {
        const list = await sendRequest(program)('GET /v1/store/orders', { key });
        expect(list.json<object[]>().at(-1)).toMatchObject({ id });
      }
    }
    for (const reader of readers) {
      const events = await reader.waitForEvents(10);
      expect(events.map(({ type }) => type)).toEqual(Array.from({ length: 10 }, () => 'order.placed'));
      reader[Symbol.dispose]();
    }
    // Any worker returns the counts of all.
    for (let i = 0; i < 2; i++) {
      const { text } = await sendRequest(program)('GET /metrics');
      expect(text).toMatch(/_count\{operation="v1.listOrders",status="200",deployment="production"\} 30\n/);
      expect(text).toMatch(/petstore_stores\{deployment="production"\} 1\n/);
    }
    await expectToStopAsOne(program, database);
  });

  it('continues when one of them dies, restarts it, and keeps counting: no counter decreases', async ({
    expect,
  }) => {
    await using database = await engine.create();
    await using program = await start(database.flags);
    const { key } = program;
    for (let i = 0; i < 10; i++) await sendRequest(program)('GET /v1/pets', { key });
    for (let id = 2; id < 4; id++) await sendRequest(program)(`DELETE /v1/store/orders/${id}`, { key });
    const before = await readMetrics(sendRequest(program));
    const pets = 'petstore_request_duration_seconds_count{operation="v1.listPets",status="200"}';
    expect(before.get(pets)).toBe(10);
    const [victim = 0, other] = workersOf(program);
    process.kill(victim, 'SIGKILL');
    await program.logged('worker exited; restarting it');
    for (let i = 0; i < 4; i++)
      expect((await sendRequest(program)('GET /v1/pets', { key })).status).toBe(200);
    // Each process has half of the memory: once all of it is reported, the new one has reported.
    const limit = 'petstore_list_memory_limit_bytes';
    let after = before;
    const limitNow = async () => {
      after = await readMetrics(sendRequest(program));
      return after.get(limit);
    };
    await expect.poll(limitNow).toBe(before.get(limit));
    expect(after.get(pets)).toBe(14);
    const counters = [...before].filter(([name]) =>
      /^petstore_\w+_(total|bucket|sum|count)(\{|$)/.test(name),
    );
    const fallen = counters.filter(([name, number]) => (after.get(name) ?? 0) < number);
    expect(fallen).toEqual([]);
    expect(workersOf(program)).toHaveLength(2);
    expect(workersOf(program)).toContain(other);
    expect(workersOf(program)).not.toContain(victim);
    for (let i = 0; i < 6; i++)
      expect((await sendRequest(program)('GET /v1/pets', { key })).status).toBe(200);
    expect((await program.stop('SIGTERM')).code).toBe(0);
  });

  /** Finishes the requests in progress in each worker. */
  async function expectToStopAsOne(program: RunningProgram, database: TestDatabase): Promise<void> {
    const { key } = program;
    const [placed] = await database.rows('SELECT count(*) AS n FROM orders');
    const sockets = await Promise.all([2, 3, 5, 6].map(() => openSocket(program.port)));
    const readings = sockets.map(readAll);
    let stopped: Promise<{ code: number | null; stderr: string }>;
    {
      await using _ = await database.holdWriters();
      const invited = sockets.map((socket) => new Promise((resolve) => socket.once('data', resolve)));
      for (const socket of sockets)
        socket.write(
          `POST /v2/store/orders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 24\r\n\r\n`,
        );
      await Promise.all(invited);
      for (const socket of sockets) socket.write('{"petId":1,"quantity":1}');
      stopped = program.stop('SIGTERM');
      await program.logged('stopping');
    }
    for (const reading of readings) expect((await reading).toString()).toContain('HTTP/1.1 201 Created\r\n');
    expect(await stopped).toMatchObject({ code: 0, stderr: '' });
    expect(program.output.stdout.match(/"stopping"/g)).toHaveLength(1);
    const [row] = await database.rows('SELECT count(*) AS n FROM orders');
    expect(Number(row?.n)).toBe(Number(placed?.n) + 4);
  }
});

it.runIf(everyCase)('a worker that dies while others are starting is restarted, too', async () => {
  await using database = await sqlite.create();
  const { child, ended, output } = spawnProgram([
    'serve',
    ...database.flags,
    '--port',
    '0',
    '--workers',
    '3',
  ]);
  const often = { interval: 5 };
  // They start sequentially, so the first one listens when the second exists.
  await expect.poll(() => workersOf(child).length, often).toBeGreaterThanOrEqual(2);
  process.kill(workersOf(child)[0] ?? 0, 'SIGKILL');
  await expect.poll(() => output.stdout, often).toContain('worker exited; restarting it');
  await expect.poll(() => workersOf(child).length, often).toBe(3);
  child.kill('SIGTERM');
  expect((await ended).code).toBe(0);
});

it.runIf(everyCase)('workers that all die are restarted, even if they die early', async () => {
  await using database = await sqlite.create();
  const flags = ['--port', String(await freePort()), '--workers', '2'];
  await using program = await startProgram([...database.flags, ...flags]);
  for (let round = 0; round < 2; round++) {
    const dead = workersOf(program);
    for (const pid of dead) process.kill(pid, 'SIGKILL');
    const others = () => workersOf(program).filter((pid) => !dead.includes(pid));
    await expect.poll(() => others().length).toBe(2);
  }
  const sendRequest = requesterFor(program.port);
  await expect.poll(() => sendRequest('GET /healthz').catch(() => undefined)).toMatchObject({ status: 200 });
  expect((await program.stop('SIGTERM')).code).toBe(0);
});

it.runIf(everyCase)(
  'a worker that cannot restart because files are missing is retried; the others continue',
  async () => {
    await using database = await sqlite.create();
    await using program = await startProgram([...database.flags, '--port', '0', '--workers', '2']);
    const mayOpen = (files: number) =>
      execFileSync('prlimit', [`--pid=${program.pid}`, `--nofile=${files}:`]);
    const sendRequest = () => requesterFor(program.port)('GET /v1/pets', { key: program.key });
    mayOpen(16);
    process.kill(workersOf(program)[0] ?? 0, 'SIGKILL');
    await program.logged('EMFILE');
    mayOpen(1_024);
    for (let i = 0; i < 4; i++) expect((await sendRequest()).status).toBe(200);
    await expect.poll(() => workersOf(program).length).toBe(2);
    expect((await program.stop('SIGTERM')).code).toBe(0);
  },
);

it.runIf(everyCase)(
  'a worker that dies while checking the database is followed by one that checks again',
  async () => {
    await using database = await sqlite.create();
    const flags = [...database.flags, '--port', '0', '--workers', '2'];
    await using killed = await startProgram(flags);
    await database.exec("UPDATE orders SET status = 'pendinf' WHERE id = 3");
    await killed.stop('SIGKILL');
    await using program = await startProgram(flags);
    await program.logged('the database is damaged');
    program.output.stdout = '';
    process.kill(workersOf(program)[0] ?? 0, 'SIGKILL');
    await program.logged('the database is damaged');
    expect((await program.stop('SIGTERM')).code).toBe(0);
  },
);

it('an unresponsive worker is killed and restarted; a stop kills unresponsive ones', async () => {
  await using database = await sqlite.create();
  await using program = await startProgram([...database.flags, '--port', '0', '--workers', '2'], {
    timeouts: { hangTimeoutMs: 1_000, stopTimeoutMs: 100 },
  });
  const [victim = 0, other = 0] = workersOf(program);
  process.kill(victim, 'SIGSTOP');
  await program.logged('worker not responding; killing it');
  await expect.poll(() => workersOf(program)).not.toContain(victim);
  await expect.poll(() => workersOf(program)).toHaveLength(2);
  expect(workersOf(program)).toContain(other);
  for (let i = 0; i < 6; i++)
    expect((await requesterFor(program.port)('GET /v1/pets', { key: program.key })).status).toBe(200);

  process.kill(other, 'SIGSTOP');
  expect((await program.stop('SIGTERM')).code).toBe(0);
});

it('connections wait for a busy supervisor, more than Node’s default of 511', async () => {
  await using database = await sqlite.create();
  await using program = await startProgram([...database.flags, '--port', '0', '--workers', '2']);
  const count = Math.min(600, Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8')));
  process.kill(program.pid, 'SIGSTOP');
  const sockets = await Promise.all(Array.from({ length: count }, () => openSocket(program.port)));
  process.kill(program.pid, 'SIGCONT');
  for (const socket of sockets) socket.destroy();
  expect((await requesterFor(program.port)('GET /v1/pets', { key: program.key })).status).toBe(200);
});

slowIt('workers exit with a killed supervisor, even with unread log lines', async () => {
  await using database = await sqlite.create();
  await using program = await startProgram([...database.flags, '--port', '0', '--workers', '2']);
  const workers = workersOf(program);
  const agents = Array.from({ length: 4 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  const longLine = `http://127.0.0.1:${program.port}${'/a'.repeat(1_500)}`;
  const sendRequest = async (agent: Agent) => {
    const [response]: IncomingMessage[] = await once(get(longLine, { agent }), 'response');
    await once(response?.resume() as IncomingMessage, 'end');
  };
  await Promise.all(agents.map(sendRequest));
  process.kill(program.pid, 'SIGSTOP');
  // More than the kernel buffers of a worker's output.
  for (let i = 0; i < 200; i++) await Promise.all(agents.map(sendRequest));
  process.kill(program.pid, 'SIGKILL');
  const isRunning = (pid: number) => existsSync(`/proc/${pid}`);
  await expect.poll(() => workers.filter(isRunning)).toEqual([]);
  for (const agent of agents) agent.destroy();
});

it('a service of several processes that cannot start reports the reason once', async () => {
  await using database = await sqlite.create();
  await using program = await startProgram([...database.flags, '--port', '0']);
  await using other = await sqlite.create();
  const again = startProgram([...other.flags, '--port', String(program.port), '--workers', '2']);
  await expect(again).rejects.toThrow(
    new RegExp(
      `^the program ended: petstore: port ${program.port} \\(production\\) on 127.0.0.1 is in use[^\n]*\n$`,
    ),
  );
});
