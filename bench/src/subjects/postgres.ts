import { type ChildProcess, execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { flagsOf, loadEmbeddedPostgres } from '../../../server/test/support/embedded-postgres.ts';
import { childrenOf } from '../measure/processor-time.ts';
import { createFolder, freePort, onExit, unpin } from '../processes.ts';

export interface Postgres {
  readonly pid: number;
  readonly port: number;
  /** Returns the address of a new database. */
  createDatabase(name: string): Promise<string>;
  /** Runs one statement on a new connection. */
  ask(sql: string, database?: string): Promise<Record<string, unknown>[]>;
  stop(): Promise<void>;
}

export interface Pair {
  readonly primary: Postgres;
  readonly standby: Postgres;
  /** Ends the primary as a power cut does: `kill -9` for all its processes. */
  killPrimary(): void;
  promote(): Promise<void>;
}

const PASSWORD = 'bench';
const STANDBY = 'standby';

/** A private PostgreSQL with its default settings: each commit waits for the disk. */
export async function startPostgres(): Promise<Postgres> {
  const server = await createServer({});
  await server.embedded.start();
  return await server.connect();
}

/** A primary and a streaming standby; with `isSynchronous`, each commit waits for the disks of both. */
export async function startPair({ isSynchronous }: { isSynchronous: boolean }): Promise<Pair> {
  const first = await createServer(isSynchronous ? { synchronous_standby_names: STANDBY } : {});
  // Copied before the first start: the standby has the same system identifier, and replays all WAL.
  const second = await createServer({}, first.data);
  writeFileSync(`${second.data}/standby.signal`, '');
  writeFileSync(
    `${second.data}/postgresql.auto.conf`,
    `primary_conninfo = 'host=127.0.0.1 port=${first.port} user=postgres password=${PASSWORD} application_name=${STANDBY}'\n`,
  );
  await first.embedded.start();
  const primary = await first.connect();
  const standbyStarted = second.embedded.start();
  // Rejects if the standby is stopped before it is promoted.
  standbyStarted.catch(() => {});
  const standby = await second.connect();
  const state = isSynchronous ? 'sync' : 'async';
  await waitForRow(primary, `SELECT 1 FROM pg_stat_replication WHERE sync_state = '${state}'`);
  return {
    primary,
    standby,
    killPrimary() {
      for (const pid of [primary.pid, ...childrenOf(primary.pid)]) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          // This child ended with its parent.
        }
      }
    },
    async promote() {
      await standby.ask('SELECT pg_promote()');
      await standbyStarted;
    },
  };
}

/** Waits until the query has a row. */
export async function waitForRow(postgres: Postgres, sql: string): Promise<void> {
  const deadline = performance.now() + 60_000;
  while ((await postgres.ask(sql)).length === 0) {
    if (performance.now() > deadline) throw new Error(`no row after a minute: ${sql}`);
    await pause(50);
  }
}

type Embedded = InstanceType<Awaited<ReturnType<typeof loadEmbeddedPostgres>>>;

interface Server {
  readonly data: string;
  readonly port: number;
  readonly embedded: Embedded;
  /** Call it after `embedded.start()`. Do not await `start()` of a standby: it resolves only on promotion. */
  connect(): Promise<Postgres>;
}

async function createServer(settings: Record<string, string>, copyOf?: string): Promise<Server> {
  const EmbeddedPostgres = await loadEmbeddedPostgres();
  const port = await freePort();
  const home = createFolder('postgres');
  for (const path of [home, `${home}/..`]) chmodSync(path, 0o755);
  const data = `${home}/data`;
  const embedded = new EmbeddedPostgres({
    databaseDir: data,
    user: 'postgres',
    password: PASSWORD,
    port,
    persistent: false,
    // PostgreSQL does not run as root, as containers often do.
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: flagsOf(settings),
    onLog: () => {},
    onError: () => {},
  });
  if (copyOf) execFileSync('cp', ['-a', copyOf, data]);
  else await embedded.initialise();
  const url = (name: string) => `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/${name}`;
  return { data, port, embedded, connect: () => openServer(embedded, port, url) };
}

async function openServer(
  embedded: Embedded,
  port: number,
  url: (name: string) => string,
): Promise<Postgres> {
  const internals = embedded as unknown as { process?: ChildProcess };
  while (!internals.process) await pause(10);
  const child = internals.process;
  const pid = child.pid as number;
  for (const each of [pid, ...childrenOf(pid)]) unpin(each);
  onExit(() => child.exitCode === null && child.signalCode === null && process.kill(pid, 'SIGQUIT'));
  const ask: Postgres['ask'] = async (sql, database = 'postgres') => {
    const client = new pg.Client({ connectionString: url(database) });
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  };
  return {
    pid,
    port,
    ask,
    async createDatabase(name) {
      await ask(`CREATE DATABASE ${name}`);
      return url(name);
    },
    stop: () => embedded.stop(),
  };
}
