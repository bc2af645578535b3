import type pg from 'pg';
import { Unavailable } from '../database/engine.ts';
import { PostgresConnection, takeClient } from '../database/postgres-connection.ts';
import type { Query } from '../database/query.ts';
import type { TransactionConnection } from './transaction.ts';

export class PostgresTransactions implements TransactionConnection {
  readonly #pool: pg.Pool;
  #client: pg.PoolClient | undefined;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async begin(): Promise<void> {
    this.#client = await takeClient(this.#pool);
    await this.#connection().exec('BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE');
  }

  async all<P, R>(query: Query<P, R>, params: P): Promise<R[]> {
    return this.#connection().all(query, params);
  }

  /** The server warns where it gave up waiting for its standby. */
  commit(): Promise<void> {
    return this.#end(async (connection, client) => {
      let isWarned = false;
      const warn = () => {
        isWarned = true;
      };
      client.on('notice', warn);
      const { command } = await connection.run({ text: 'COMMIT' });
      client.off('notice', warn);
      if (command !== 'COMMIT' || isWarned) throw new Unavailable('the database did not confirm the commit');
    });
  }

  rollback(): Promise<void> {
    return this.#end((connection) => connection.exec('ROLLBACK'));
  }

  #connection(): PostgresConnection {
    if (!this.#client) throw new Unavailable('the transaction has ended');
    return new PostgresConnection(this.#client);
  }

  /** A client whose transaction could not be ended is closed: nobody else may find it open. */
  async #end(end: (connection: PostgresConnection, client: pg.PoolClient) => Promise<void>): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    if (!client) return;
    try {
      await end(new PostgresConnection(client), client);
      client.release();
    } catch (error) {
      client.release(true);
      throw error;
    }
  }
}
