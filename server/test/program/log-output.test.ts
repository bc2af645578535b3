import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { sqlite } from '../support/engines.ts';
import { freePort } from '../support/free-port.ts';
import { exchange, requester } from '../support/http.ts';
import { main, PATIENCE_MS } from '../support/program.ts';

/** The program with a standard output of its own kind, once it answers. */
async function startWithOutput(stdout: 'pipe' | number, flags: readonly string[]) {
  const port = await freePort();
  const child = spawn(process.execPath, [main, 'serve', '--port', String(port), ...flags], {
    stdio: ['ignore', stdout, 'inherit'],
  });
  const ended = once(child, 'exit');
  const patience = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
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
      clearTimeout(patience);
      agent.destroy();
      return code;
    },
  };
}

/** As long as a path may be, so that few requests fill what may wait. */
const longPath = `/${'./'.repeat(4000)}`;

it.each(['1', '2'])(
  'a log on a full disk holds up no request and no stop, and its lines are counted: %s processes',
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

it('a reader of the log that stalls takes bounded memory, and is told what it missed when it reads on', async () => {
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
  const told = () => /^\{.*"dropped":.*\}$/m.exec(read)?.[0];
  while (told() === undefined) await once(output, 'data');
  expect(JSON.parse(told() ?? '')).toMatchObject({ level: 'warn', dropped: expect.any(Number) });
  expect(await program.stop()).toBe(0);
});

it('a reader of the log that never reads again does not keep the service from stopping', async () => {
  await using database = await sqlite.create();
  const program = await startWithOutput('pipe', database.flags);
  // More than a pipe or a socket holds.
  for (let i = 0; i < 100; i++) await exchange(program.port, program.agent, 'GET', longPath, {});
  expect(await program.stop()).toBe(0);
});
