import pg from 'pg';
import { type Connection, Unavailable } from './engine.ts';
import type { Params, Query } from './query.ts';

/** How long anything may take before the caller is told that the database is unavailable. */
const CONNECT_TIMEOUT_MS = 2_000;
const LOCK_TIMEOUT_MS = 3_000;
const STATEMENT_TIMEOUT_MS = 5_000;
/** For when not even the server's own timeout is heard of. */
const SILENCE_TIMEOUT_MS = 7_000;
/** A replica that falls silent inside a transaction loses it, and the locks that others wait for. */
const IDLE_TRANSACTION_TIMEOUT_MS = 5_000;
/** A server that does not say goodbye is left without one. */
const CLOSE_TIMEOUT_MS = 1_000;
/** After a failed attempt to connect, the next one waits so long: a server in trouble is not besieged. */
const RETRY_MS = 200;

const INT8 = 20;

/** Parameters in the address itself, such as `?statement_timeout=60000`, win over these. */
export function clientConfig(url: string): pg.ClientConfig & { pipeline: boolean } {
  return {
    connectionString: url,
    application_name: 'petstore',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: SILENCE_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    pipeline: true,
    types: {
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        oid === INT8
          ? BigInt
          : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
    },
  };
}

const names = new WeakMap<object, string>();
let named = 0;

/** Each query is prepared once per connection, under a name of its own. */
export function nameOf(query: object): string {
  const known = names.get(query);
  if (known !== undefined) return known;
  const name = `q${++named}`;
  names.set(query, name);
  return name;
}

/** One connection, for as long as it lasts. Many queries can be under way on it at once, answered in order. */
export class PostgresSession implements Connection {
  readonly #client: pg.Client;
  #alive = true;
  #warnings = 0;
  /** Queries under way. */
  load = 0;

  private constructor(client: pg.Client) {
    this.#client = client;
    const lost = () => {
      this.#alive = false;
    };
    client.on('error', lost).on('end', lost);
    client.on('notice', ({ code }) => {
      if (code !== '00000') this.#warnings++;
    });
  }

  static async open(url: string, config = clientConfig(url)): Promise<PostgresSession> {
    const client = new pg.Client(config);
    const session = new PostgresSession(client);
    // The server says this unasked, since PostgreSQL 14. A standby's data may be behind.
    let standby = false;
    client.connection.on('parameterStatus', ({ parameterName, parameterValue }) => {
      if (parameterName === 'in_hot_standby') standby = parameterValue === 'on';
    });
    try {
      await client.connect();
    } catch (error) {
      session.destroy();
      throw new Unavailable(`cannot connect to the database: ${messageOf(error)}`, { cause: error });
    }
    if (!standby) return session;
    session.destroy();
    throw new Unavailable('cannot use the database: it is a standby');
  }

  get alive(): boolean {
    return this.#alive;
  }

  async all<P, R>(query: Query<P, R>, params: P): Promise<R[]> {
    const { sql, bind } = query.on('postgres');
    const statement = { text: sql, values: bind(params as Params) };
    const { rows } = await this.run(
      query.plannedEachTime ? statement : { name: nameOf(query), ...statement },
    );
    return rows as R[];
  }

  /** Runs plain SQL. */
  async exec(sql: string): Promise<void> {
    await this.run({ text: sql });
  }

  /**
   * Commits. Whatever the server says besides a plain yes means that the transaction failed, or that it
   * gave up waiting for its standby: the change may be there, but must not be reported as done.
   */
  async commit(): Promise<void> {
    const warnings = this.#warnings;
    const { command } = await this.run({ text: 'COMMIT' });
    if (command !== 'COMMIT' || this.#warnings !== warnings)
      throw new Unavailable('the database did not confirm the commit');
  }

  async run(statement: pg.QueryConfig & { rowMode?: 'array' }): Promise<pg.QueryResult> {
    this.load++;
    try {
      return await this.#client.query(statement);
    } catch (error) {
      throw translate(error);
    } finally {
      this.load--;
    }
  }

  /** Hears what is sent to a channel, until the session is lost, which it is told too. */
  async listen(channel: string, onMessage: (text: string) => void, onLost: () => void): Promise<void> {
    this.#client.on('notification', ({ payload = '' }) => onMessage(payload));
    this.#client.on('error', onLost).on('end', onLost);
    await this.exec(`LISTEN ${channel}`);
  }

  async close(): Promise<void> {
    const late = setTimeout(() => this.destroy(), CLOSE_TIMEOUT_MS);
    await this.#client.end().catch(() => {});
    clearTimeout(late);
  }

  /** Lets go at once, whatever is under way. */
  destroy(): void {
    this.#alive = false;
    this.#client.connection.stream.destroy();
  }
}

/** A session that is replaced by a new one after it was lost. What was under way on the lost one fails. */
export class PostgresLink {
  readonly #url: string;
  #session: PostgresSession | undefined;
  #opening: Promise<PostgresSession> | undefined;
  #failed = { at: Number.NEGATIVE_INFINITY, error: new Unavailable() };
  #closed = false;

  constructor(url: string) {
    this.#url = url;
  }

  /** The session, if there is one. */
  get current(): PostgresSession | undefined {
    return this.#session?.alive ? this.#session : undefined;
  }

  async session(): Promise<PostgresSession> {
    if (this.current) return this.current;
    if (this.#closed) throw new Unavailable('the database was closed');
    if (performance.now() - this.#failed.at < RETRY_MS) throw this.#failed.error;
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#opening?.catch(() => {});
    await this.#session?.close();
  }

  async #open(): Promise<PostgresSession> {
    try {
      this.#session = await PostgresSession.open(this.#url);
      return this.#session;
    } catch (error) {
      this.#failed = { at: performance.now(), error: error as Unavailable };
      throw error;
    }
  }
}

/**
 * SQLSTATE classes and codes that mean "not now": connection, resources, shutdown, timeouts, deadlock,
 * read-only, disk, and a statement that could not be prepared because of one of those.
 */
const passing = /^(08|53|57P|57014|58|55P03|40001|40P01|25006|25P03|25P04|26000|42P05)/;

/** Whatever PostgreSQL did not answer with an error code of its own was lost on the way. */
function translate(error: unknown): unknown {
  if (error instanceof Unavailable || error instanceof TypeError || error instanceof RangeError) return error;
  const { code, severity } = error as { code?: string; severity?: string };
  if (severity !== undefined && !passing.test(code ?? '')) return error;
  return new Unavailable(`the database cannot be used now: ${messageOf(error)}`, { cause: error });
}

export function messageOf(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string };
  return message || String(code);
}
