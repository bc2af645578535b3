import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { timeouts } from '../config/timeouts.ts';
import { type Database, MAX_SNAPSHOTS, type PoolUsage, Unavailable } from './engine.ts';
import type { Connection, Params, Query } from './query.ts';

const CLOSE_TIMEOUT_MS = 1_000;

const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, BigInt);

/** Parameters of the URL, such as `?statement_timeout=60000`, override these. */
function clientConfig(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: 'petstore',
    connectionTimeoutMillis: timeouts.connectTimeoutMs,
    lock_timeout: 3_000,
    statement_timeout: 5_000,
    // In case the server's own timeout error never arrives.
    query_timeout: 7_000,
    // Releases the locks of a replica that hangs in a transaction.
    idle_in_transaction_session_timeout: 5_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    pipeline: true,
    types,
  };
}

export class PostgresConnection implements Connection, Disposable {
  readonly #client: pg.ClientBase & Partial<Pick<pg.PoolClient, 'release'>>;
  /** The last statement failed: its transaction may still be open. */
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
      throw translateError(error);
    }
  }

  async begin(): Promise<void> {
    this.isInTransaction = true;
    await this.exec('BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE');
  }

  /** Does nothing once COMMIT was sent. */
  async rollback(): Promise<void> {
    if (!this.isInTransaction) return;
    this.isInTransaction = false;
    await this.exec('ROLLBACK');
  }

  /** The server sends a warning if it stopped waiting for its standby. */
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

  /** Returns the client to its pool. After a failure, closes it instead: its transaction may still be open. */
  [Symbol.dispose](): void {
    this.#client.release?.(this.#hasFailed);
  }
}

export async function connectClient(url: string): Promise<pg.Client> {
  const client = ignoreErrors(new pg.Client(clientConfig(url)));
  try {
    await client.connect();
    await requirePrimary(client);
  } catch (error) {
    await closeWithTimeout(client);
    throw new Unavailable(`cannot connect to the database: ${messageOf(error)}`, { cause: error });
  }
  return client;
}

export function openPool(url: string, max: number, setupSql = ''): pg.Pool {
  const pool = new pg.Pool({
    ...clientConfig(url),
    max,
    async onConnect(client) {
      await requirePrimary(ignoreErrors(client));
      if (setupSql !== '') await client.query(setupSql);
    },
  });
  // The pool replaces lost clients; a query on one rejects.
  pool.on('error', () => {});
  return pool;
}

/** If the server has no connections left, waits until the pool has one released. */
export async function acquireConnection(pool: pg.Pool, deadline = Date.now() + timeouts.connectTimeoutMs) {
  try {
    return new PostgresConnection(await pool.connect());
  } catch (error) {
    const hasTooManyConnections = (error as { code?: string }).code === '53300';
    const leftMs = deadline - Date.now();
    if (!hasTooManyConnections || pool.totalCount === 0 || leftMs <= 0) throw translateError(error);
    const signal = AbortSignal.timeout(leftMs);
    if (pool.idleCount === 0) await once(pool, 'release', { signal }).catch(() => {});
    return acquireConnection(pool, deadline);
  }
}

const READERS = 8;
/** Snapshots hold no locks, and may wait for slow clients. */
const SNAPSHOT_IDLE_TIMEOUT_MS = 600_000;

export function openPostgres(url: string): Database {
  const readers = openPool(url, READERS);
  const snapshots = openPool(
    url,
    MAX_SNAPSHOTS,
    `SET idle_in_transaction_session_timeout = ${SNAPSHOT_IDLE_TIMEOUT_MS}`,
  );
  return {
    async all(query, params) {
      using connection = await acquireConnection(readers);
      return await connection.all(query, params);
    },
    async snapshot() {
      using opening = new DisposableStack();
      const connection = opening.use(await acquireConnection(snapshots));
      await connection.exec('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      const resources = opening.move();
      return {
        all: (query, params) => connection.all(query, params),
        async [Symbol.asyncDispose]() {
          await connection.exec('ROLLBACK').catch(() => {});
          resources.dispose();
        },
      };
    },
    pools: { read: () => poolUsage(readers), snapshot: () => poolUsage(snapshots) },
    async close() {
      await Promise.all([closeWithTimeout(readers), closeWithTimeout(snapshots)]);
    },
  };
}

/** Callers that an idle connection is about to serve are not waiting. */
export function poolUsage({ totalCount, idleCount, waitingCount }: pg.Pool): PoolUsage {
  return { taken: totalCount - idleCount, waiting: Math.max(0, waitingCount - idleCount) };
}

/** Without a listener, losing an idle connection would end the process. */
function ignoreErrors<Client extends pg.ClientBase>(client: Client): Client {
  return client.on('error', () => {});
}

/** A standby's data may be stale. Checked once: a primary never becomes a standby while it has connections. */
async function requirePrimary(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query('SELECT pg_is_in_recovery() AS standby');
  if (rows[0]?.standby) throw new Unavailable('cannot use the database: it is a standby');
}

/** Stops waiting after a timeout. */
export async function closeWithTimeout(clients: pg.Client | pg.Pool): Promise<void> {
  await Promise.race([clients.end().catch(() => {}), sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
}

/** SQLSTATE: connection, sign-in, resources, shutdown, timeouts, deadlock, read-only, disk, a lost statement. */
const transient = /^(08|28|3D|53|57P|57014|58|55P03|40001|40P01|25006|25P03|25P04|26000|42P05)/;

/** A prepared statement is missing or another client's: the session changed behind the connection. */
const lostStatement = /^(26000|42P05)$/;

/** Errors without a severity are lost connections. */
function translateError(error: unknown): unknown {
  if (error instanceof Unavailable || error instanceof TypeError || error instanceof RangeError) return error;
  const { code, severity } = error as { code?: string; severity?: string };
  if (severity !== undefined && !transient.test(code ?? '')) return error;
  const hint = lostStatement.test(code ?? '')
    ? '; a pooler such as PgBouncer must have pool_mode = session'
    : '';
  return new Unavailable(`the database is unavailable: ${messageOf(error)}${hint}`, { cause: error });
}

export function messageOf(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string };
  return message || String(code);
}
