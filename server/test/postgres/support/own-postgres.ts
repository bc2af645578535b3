import { type ChildProcess, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { memoizeAsync } from '../../../src/concurrency/memoize-async.ts';
import { preparePostgres } from '../../../src/database/prepare-postgres.ts';
import { copyOf, flagsOf, loadEmbeddedPostgres } from '../../support/embedded-postgres.ts';
import { type Engine, exactIntegers, type Row, type TestDatabase } from '../../support/engines.ts';
import { freePort } from '../../support/free-port.ts';

/** A private PostgreSQL that a test may stop, freeze and fill up. */
export interface OwnPostgres extends AsyncDisposable {
  readonly port: number;
  readonly folder: string;
  readonly engine: Engine;
  /** The same, with much shorter timeouts, set in the address. */
  readonly impatientEngine: Engine;
  url(database: string): string;
  /** Runs one statement on a new connection. */
  query(sql: string, database?: string): Promise<Row[]>;
  start(): Promise<void>;
  /** Ends every session at once; with `crash`, memory is not written to disk. */
  stop(how?: 'orderly' | 'crash'): Promise<void>;
  /** Suspends all its processes: connections stay open, without responses. */
  freeze(): void;
  thaw(): void;
}

const PASSWORD = 'tests';
/** Still so patient that a slow machine does not pass for one that is in trouble. */
const IMPATIENT =
  '?lock_timeout=1000&statement_timeout=2000&query_timeout=3000&idle_in_transaction_session_timeout=1000';

export async function startOwnPostgres(settings: Record<string, string> = {}): Promise<OwnPostgres> {
  const EmbeddedPostgres = await loadEmbeddedPostgres();
  const port = await freePort();
  const unused = process.env.UNUSED_POSTGRES;
  const folder = unused ? copyOf(unused) : mkdtempSync(join(tmpdir(), 'petstore-own-postgres-'));
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    user: 'postgres',
    password: PASSWORD,
    port,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--no-sync'],
    postgresFlags: flagsOf(settings),
    onLog: () => {},
    onError: () => {},
  });
  const inside = server as unknown as { process?: ChildProcess | undefined };
  const signalAll = (signal: NodeJS.Signals) => {
    const pid = inside.process?.pid;
    if (pid === undefined) return;
    // The server first: once it is stopped, no further session begins.
    process.kill(pid, signal);
    for (const child of childrenOf(pid)) signalIfThere(child, signal);
  };
  const url = (database: string) => `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/${database}`;
  const query = (sql: string, database = 'postgres') => queryOnce(url(database), sql);

  if (!unused) await server.initialise();
  await server.start();
  /** A database with empty tables, as a template. */
  const prepared = memoizeAsync(async () => {
    await query('CREATE DATABASE prepared');
    await preparePostgres(url('prepared'), false);
    return 'prepared';
  });
  const engineWith = (parameters?: string): Engine => ({
    name: 'postgres',
    create: () => createDatabase(url, query, 'template1', parameters),
    createPrepared: async () => createDatabase(url, query, await prepared(), parameters),
  });
  return {
    port,
    folder,
    url,
    query,
    engine: engineWith(),
    impatientEngine: engineWith(IMPATIENT),
    start: () => server.start(),
    async stop(how = 'orderly') {
      const running = inside.process;
      if (!running) return;
      inside.process = undefined;
      const gone = once(running, 'exit');
      running.kill(how === 'crash' ? 'SIGQUIT' : 'SIGINT');
      await gone;
    },
    freeze: () => signalAll('SIGSTOP'),
    thaw: () => signalAll('SIGCONT'),
    async [Symbol.asyncDispose]() {
      signalAll('SIGCONT');
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A PostgreSQL for the tests of one `describe`. */
export function useOwnPostgres(settings: Record<string, string> = {}): () => OwnPostgres {
  let postgres: OwnPostgres | undefined;
  beforeAll(async () => {
    postgres = await startOwnPostgres(settings);
  });
  afterAll(() => postgres?.[Symbol.asyncDispose]());
  return () => postgres as OwnPostgres;
}

/** A session may end between being listed and being signaled. */
function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** The forked sessions and helpers of a server. */
function childrenOf(pid: number): number[] {
  const { stdout } = spawnSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' });
  return stdout.split('\n').filter(Boolean).map(Number);
}

let databases = 0;

/** Asks over a new connection each time, so that the server may go away in between. */
async function createDatabase(
  url: OwnPostgres['url'],
  query: OwnPostgres['query'],
  template: string,
  parameters = '',
): Promise<TestDatabase> {
  const name = `own_${++databases}`;
  await query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
  const address = `${url(name)}${parameters}`;
  return {
    engine: 'postgres',
    location: { deployments: ['production'], data: '', database: address, acceptUnsafe: false },
    flags: ['--deployment', 'production', '--database', address],
    rows: (sql) => query(sql, name),
    async exec(sql) {
      await query(`BEGIN; ${sql}; COMMIT`, name);
    },
    holdWriters: () => hold(url(name), 'LOCK TABLE stores, keys, orders, pets IN EXCLUSIVE MODE'),
    [Symbol.asyncDispose]: async () => {},
  };
}

/** Runs a statement and holds its locks until it is disposed, regardless of timeouts in the address. */
export async function hold(url: string, sql: string): Promise<AsyncDisposable> {
  const client = await connect(url);
  await client.query(`SET idle_in_transaction_session_timeout = 0; BEGIN; ${sql}`);
  return { [Symbol.asyncDispose]: () => client.end() };
}

export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, types: exactIntegers });
  client.on('error', () => {});
  await client.connect();
  return client;
}

async function queryOnce(url: string, sql: string): Promise<Row[]> {
  const client = await connect(url);
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}
