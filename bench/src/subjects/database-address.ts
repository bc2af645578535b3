import { chmodSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createFolder, findProgram, freePort, startProcess } from '../processes.ts';

/** A fixed address through which replicas reach the database. A failover changes the target, not the address. */
export interface DatabaseAddress extends AsyncDisposable {
  readonly name: 'PgBouncer' | 'TCP forwarder';
  readonly port: number;
  /** PgBouncer's process, whose CPU time is measured. */
  readonly pid: number | undefined;
  setTarget(port: number): void;
}

/** PgBouncer if it is installed; otherwise a forwarder in this process, which does what a DNS name or a virtual IP address does. */
export async function openDatabaseAddress(target: number): Promise<DatabaseAddress> {
  const pgbouncer = findProgram('pgbouncer');
  return pgbouncer ? await startPgBouncer(pgbouncer, target) : await startForwarder(target);
}

async function startForwarder(target: number): Promise<DatabaseAddress> {
  const port = await freePort();
  let current = target;
  const sockets = new Set<Socket>();
  const endAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((client) => {
    const upstream = connect({ port: current, host: '127.0.0.1', noDelay: true });
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on('error', () => {}).on('close', () => sockets.delete(one) && other.destroy());
    }
  }).listen(port, '127.0.0.1');
  return {
    name: 'TCP forwarder',
    port,
    pid: undefined,
    setTarget(changed) {
      current = changed;
      endAll();
    },
    async [Symbol.asyncDispose]() {
      server.close();
      endAll();
    },
  };
}

/** The settings are those of ops/replicas/pgbouncer.ini, without passwords. */
async function startPgBouncer(program: string, target: number): Promise<DatabaseAddress> {
  const port = await freePort();
  const home = createFolder('pgbouncer');
  chmodSync(home, 0o755);
  const file = join(home, 'pgbouncer.ini');
  const configure = (primary: number) =>
    writeFileSync(
      file,
      `[databases]
* = host=127.0.0.1 port=${primary} user=postgres password=bench
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = session
max_client_conn = 200
default_pool_size = 87
server_login_retry = 1
ignore_startup_parameters = statement_timeout,lock_timeout,idle_in_transaction_session_timeout
`,
    );
  configure(target);
  // PgBouncer refuses to run as root.
  const user = process.getuid?.() === 0 ? ['-u', 'postgres'] : [];
  const { pid, end } = startProcess({ command: program, args: ['-q', ...user, file] });
  const deadline = performance.now() + 60_000;
  while (!(await isListening(port))) {
    if (performance.now() > deadline) throw new Error('PgBouncer did not start within a minute');
    await pause(20);
  }
  return {
    name: 'PgBouncer',
    port,
    pid,
    setTarget(primary) {
      configure(primary);
      process.kill(pid, 'SIGHUP');
    },
    [Symbol.asyncDispose]: end,
  };
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}
