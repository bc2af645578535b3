import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { timeouts } from '../config/timeouts.ts';
import { type Database, MAX_SNAPSHOTS, type Pool, Unavailable } from './engine.ts';
import type { Connection, Params, Query } from './query.ts';

const CLOSE_TIMEOUT_MS = 1_000;

const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, BigInt);

/** Times are milliseconds. Parameters in the address itself, such as `?statement_timeout=60000`, win over these. */
function clientConfig(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: 'petstore',
    connectionTimeoutMillis: timeouts.connectTimeoutMs,
    lock_timeout: 3_000,
    statement_timeout: 5_000,
    // For when not even the server's own timeout is heard of.
    query_timeout: 7_000,
    // A replica that falls silent inside a transaction loses it, and the locks that others wait for.
    idle_in_transaction_session_timeout: 5_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    pipeline: true,
    types,
  };
}

export class PostgresConnection implements Connection, Disposable {
  readonly #client: pg.ClientBase & Partial<Pick<pg.PoolClient, 'release'>>;
  /** The last statement failed: a transaction that it was to end may still be open. */
  #hasFailed = false;
  isInTransaction = false;

  constructor(client: pg.ClientBase) {
    this.#client = client;
  }

  async all<P, R>(query: Query<P, R>, params: P): Promise<R[]> {
    const { sql, bind } = query.statementFor('postgres');
    const statement = { text: sql, values: bind(params as Params) };
    const { rows } = await this.run(query.plannedEachTime ? statement : { name: query.name, ...statement });
    return rows as R[];
  }

  async exec(sql: string): Promise<void> {
    await this.run({ text: sql });
  }

  async run(statement: pg.QueryConfig & { rowMode?: 'array' }): Promise<pg.QueryResult> {
    try {
      const result = await this.#client.query(statement);
      this.#hasFailed = false;
      return result;
    } catch (error) {
      this.#hasFailed = true;
      throw translated(error);
    }
  }

  async begin(): Promise<void> {
    this.isInTransaction = true;
    await this.exec('BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE');
  }

  /** Once COMMIT was sent, there is nothing to undo. */
  async rollback(): Promise<void> {
    if (!this.isInTransaction) return;
    this.isInTransaction = false;
    await this.exec('ROLLBACK');
  }

  /** The server warns where it gave up waiting for its standby. */
  async commit(): Promise<void> {
    this.isInTransaction = false;
    let isWarned = false;
    const warn = () => {
      isWarned = true;
    };
    this.#client.on('notice', warn);
    const { command } = await this.run({ text: 'COMMIT' }).finally(() => this.#client.off('notice', warn));
    if (command !== 'COMMIT' || isWarned) throw new Unavailable('the database did not confirm the commit');
  }

  /** Gives the client back to its pool, or closes it: nobody else may find a transaction open. */
  [Symbol.dispose](): void {
    this.#client.release?.(this.#hasFailed);
  }
}

export async function connectClient(url: string): Promise<pg.Client> {
  const client = surviving(new pg.Client(clientConfig(url)));
  try {
    await client.connect();
    await requirePrimary(client);
  } catch (error) {
    await closeInTime(client);
    throw new Unavailable(`cannot connect to the database: ${messageOf(error)}`, { cause: error });
  }
  return client;
}

export function openPool(url: string, max: number, setUp = ''): pg.Pool {
  const pool = new pg.Pool({
    ...clientConfig(url),
    max,
    async onConnect(client) {
      await requirePrimary(surviving(client));
      if (setUp !== '') await client.query(setUp);
    },
  });
  // The pool replaces a client that was lost; whoever was using it is told by its query.
  pool.on('error', () => {});
  return pool;
}

/** Where the server has no connection left, one of ours that becomes free is waited for. */
export async function takeConnection(pool: pg.Pool, giveUpAt = Date.now() + timeouts.connectTimeoutMs) {
  try {
    return new PostgresConnection(await pool.connect());
  } catch (error) {
    const isOneTooMany = (error as { code?: string }).code === '53300';
    const leftMs = giveUpAt - Date.now();
    if (!isOneTooMany || pool.totalCount === 0 || leftMs <= 0) throw translated(error);
    const signal = AbortSignal.timeout(leftMs);
    if (pool.idleCount === 0) await once(pool, 'release', { signal }).catch(() => {});
    return takeConnection(pool, giveUpAt);
  }
}

const READERS = 8;
/** A snapshot locks nothing, and may have to wait for a slow reader of what it shows. */
const IDLE_MS = 600_000;

export function openPostgres(url: string): Database {
  const readers = openPool(url, READERS);
  const snapshots = openPool(url, MAX_SNAPSHOTS, `SET idle_in_transaction_session_timeout = ${IDLE_MS}`);
  return {
    async all(query, params) {
      using connection = await takeConnection(readers);
      return await connection.all(query, params);
    },
    async snapshot() {
      using opening = new DisposableStack();
      const connection = opening.use(await takeConnection(snapshots));
      await connection.exec('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      const open = opening.move();
      return {
        all: (query, params) => connection.all(query, params),
        async [Symbol.asyncDispose]() {
          await connection.exec('ROLLBACK').catch(() => {});
          open.dispose();
        },
      };
    },
    pools: { read: () => useOf(readers), snapshot: () => useOf(snapshots) },
    async close() {
      await Promise.all([closeInTime(readers), closeInTime(snapshots)]);
    },
  };
}

/** Whoever an idle connection is about to serve waits for nobody. */
export function useOf({ totalCount, idleCount, waitingCount }: pg.Pool): ReturnType<Pool> {
  return { taken: totalCount - idleCount, waiting: Math.max(0, waitingCount - idleCount) };
}

/** Without a listener, a connection that is lost while nobody asks anything would end the process. */
function surviving<Client extends pg.ClientBase>(client: Client): Client {
  return client.on('error', () => {});
}

/** A standby's data may be behind. It becomes a primary without losing its connections, but never the other way round. */
async function requirePrimary(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query('SELECT pg_is_in_recovery() AS standby');
  if (rows[0]?.standby) throw new Unavailable('cannot use the database: it is a standby');
}

/** Waits for it, but not for long. */
export async function closeInTime(open: pg.Client | pg.Pool): Promise<void> {
  await Promise.race([open.end().catch(() => {}), sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
}

/** SQLSTATE: connection, sign-in, resources, shutdown, timeouts, deadlock, read-only, disk, a lost statement. */
const passing = /^(08|28|3D|53|57P|57014|58|55P03|40001|40P01|25006|25P03|25P04|26000|42P05)/;

/** A prepared statement that is not there, or of another client: the session changed without the connection. */
const lostStatement = /^(26000|42P05)$/;

/** An error without a code of PostgreSQL's own is a connection that was lost. */
function translated(error: unknown): unknown {
  if (error instanceof Unavailable || error instanceof TypeError || error instanceof RangeError) return error;
  const { code, severity } = error as { code?: string; severity?: string };
  if (severity !== undefined && !passing.test(code ?? '')) return error;
  const hint = lostStatement.test(code ?? '')
    ? '; a pooler such as PgBouncer must have pool_mode = session'
    : '';
  return new Unavailable(`the database cannot be used now: ${messageOf(error)}${hint}`, { cause: error });
}

export function messageOf(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string };
  return message || String(code);
}
