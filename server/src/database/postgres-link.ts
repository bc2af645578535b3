import pg from 'pg';
import { type Connection, Unavailable } from './engine.ts';
import type { Params, Query } from './query.ts';

/** How long anything may take before the caller is told that the database is unavailable. */
const CONNECT_TIMEOUT_MS = 2_000;
const LOCK_TIMEOUT_MS = 3_000;
const STATEMENT_TIMEOUT_MS = 5_000;
/** For when not even the server's own timeout is heard of. */
const SILENCE_TIMEOUT_MS = 7_000;

const INT8 = 20;

export function clientConfig(url: string): pg.ClientConfig & { pipeline: boolean } {
  return {
    connectionString: url,
    application_name: 'petstore',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: SILENCE_TIMEOUT_MS,
    keepAlive: true,
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
function nameOf(query: object): string {
  const known = names.get(query);
  if (known !== undefined) return known;
  const name = `q${++named}`;
  names.set(query, name);
  return name;
}

/** One connection, for as long as it lasts. Many queries can be under way on it at once, answered in order. */
export class PostgresSession implements Connection {
  readonly #client: pg.Client;
  /** Queries under way. */
  load = 0;

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  static async open(url: string, onEnd: () => void = () => {}): Promise<PostgresSession> {
    const client = new pg.Client(clientConfig(url));
    client.on('error', onEnd).on('end', onEnd);
    try {
      await client.connect();
    } catch (error) {
      throw translate(error);
    }
    return new PostgresSession(client);
  }

  async all<P, R>(query: Query<P, R>, params: P): Promise<R[]> {
    const { sql, bind } = query.on('postgres');
    const statement = { text: sql, values: bind(params as Params) };
    const { rows } = await this.#run(
      query.plannedEachTime ? statement : { name: nameOf(query), ...statement },
    );
    return rows as R[];
  }

  /** Runs plain SQL; answers with the command that the server says it carried out. */
  async exec(sql: string): Promise<string> {
    return (await this.#run({ text: sql })).command;
  }

  async close(): Promise<void> {
    await this.#client.end().catch(() => {});
  }

  async #run(statement: pg.QueryConfig): Promise<pg.QueryResult> {
    this.load++;
    try {
      return await this.#client.query(statement);
    } catch (error) {
      throw translate(error);
    } finally {
      this.load--;
    }
  }
}

/** A session that is replaced by a new one after it was lost. What was under way on the lost one fails. */
export class PostgresLink {
  readonly #url: string;
  #opening: Promise<PostgresSession> | undefined;
  #current: PostgresSession | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  get load(): number {
    return this.#current?.load ?? 0;
  }

  session(): PostgresSession | Promise<PostgresSession> {
    if (this.#current) return this.#current;
    this.#opening ??= this.#open();
    return this.#opening;
  }

  async close(): Promise<void> {
    await (await this.#opening?.catch(() => undefined))?.close();
  }

  async #open(): Promise<PostgresSession> {
    const forget = () => {
      this.#opening = undefined;
      this.#current = undefined;
    };
    try {
      this.#current = await PostgresSession.open(this.#url, forget);
      return this.#current;
    } catch (error) {
      forget();
      throw error;
    }
  }
}

/** SQLSTATE classes and codes that mean "not now": connection, resources, shutdown, timeouts, deadlock, read-only. */
const passing = /^(08|53|57P|57014|55P03|40001|40P01|25006)/;

/** Whatever PostgreSQL did not answer with an error code of its own was lost on the way. */
export function translate(error: unknown): unknown {
  const { code, severity, message } = error as { code?: string; severity?: string; message?: string };
  if (error instanceof Unavailable || (severity !== undefined && !passing.test(code ?? ''))) return error;
  return new Unavailable(`the database cannot be used now: ${message || code}`, { cause: error });
}
