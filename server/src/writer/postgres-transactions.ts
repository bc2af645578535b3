import type pg from 'pg';
import { Unavailable } from '../database/engine.ts';
import { type PostgresConnection, takeConnection } from '../database/postgres-connection.ts';
import type { Query } from '../database/query.ts';
import type { TransactionConnection } from './transaction.ts';

/** Takes a connection from the pool for each transaction, and gives it back when that ends. */
export class PostgresTransactions implements TransactionConnection {
  readonly #pool: pg.Pool;
  #connection: PostgresConnection | undefined;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async begin(): Promise<void> {
    this.#connection = await takeConnection(this.#pool);
    await this.#connection.exec('BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE');
  }

  async all<P, R>(query: Query<P, R>, params: P): Promise<R[]> {
    if (!this.#connection) throw new Unavailable('the transaction has ended');
    return this.#connection.all(query, params);
  }

  async commit(): Promise<void> {
    using connection = this.#detach();
    await connection?.commit();
  }

  async rollback(): Promise<void> {
    using connection = this.#detach();
    await connection?.exec('ROLLBACK');
  }

  #detach(): PostgresConnection | undefined {
    const connection = this.#connection;
    this.#connection = undefined;
    return connection;
  }
}
