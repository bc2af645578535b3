import type pg from 'pg';
import { closeClient, connectClient } from './postgres-connection.ts';

const RETRY_MS = 500;
/** Pairs in one message; PostgreSQL takes 8,000 bytes of it. */
const MOST_PAIRS = 100;

interface ChannelOptions {
  readonly url: string;
  /** What is sent takes a client of this pool. */
  readonly pool: pg.Pool;
  readonly name: string;
}

/**
 * Pairs of numbers from replica to replica, by NOTIFY. Of pairs with the same first number only the newest is sent. It
 * carries hints: what is sent while the connection is lost is lost too.
 * A message goes out after its commit and not inside of it: there, it would make all commits wait for each other.
 */
export class PostgresChannel {
  readonly #options: ChannelOptions;
  readonly #hear: (first: bigint, second: bigint) => void;
  readonly #unsent = new Map<bigint, bigint>();
  #sending: Promise<void> | undefined;
  #listener: pg.Client | undefined;
  #isListening = false;
  #retry: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: ChannelOptions, hear: (first: bigint, second: bigint) => void) {
    this.#options = options;
    this.#hear = hear;
  }

  send(first: bigint, second: bigint): void {
    this.#unsent.set(first, second);
    this.#sending ??= this.#sendAll();
  }

  /** From now on, hears what all replicas send, this one's own included. */
  listen(): void {
    if (!this.#isListening) void this.#listen();
    this.#isListening = true;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    await this.#sending;
    if (this.#listener) await closeClient(this.#listener);
  }

  async #sendAll(): Promise<void> {
    // Commits that end at the same moment share a message.
    await new Promise(setImmediate);
    const { pool, name } = this.#options;
    while (this.#unsent.size > 0) {
      const pairs = [...this.#unsent].slice(0, MOST_PAIRS);
      for (const [first] of pairs) this.#unsent.delete(first);
      const values = [name, pairs.map((pair) => pair.join(' ')).join(',')];
      await pool
        .query({ name: 'notify', text: 'SELECT pg_notify($1, $2)', values })
        .catch(() => this.#unsent.clear());
    }
    this.#sending = undefined;
  }

  async #listen(): Promise<void> {
    const lost = () => {
      clearTimeout(this.#retry);
      if (!this.#isClosed) this.#retry = setTimeout(() => this.#listen(), RETRY_MS).unref();
    };
    try {
      const { url, name } = this.#options;
      const client = await connectClient(url);
      client.on('notification', ({ payload = '' }) => this.#heard(payload));
      client.on('end', lost);
      this.#listener = client;
      await client.query(`LISTEN ${name}`);
      if (this.#isClosed) await closeClient(client);
    } catch {
      lost();
    }
  }

  #heard = (text: string): void => {
    // Anybody with the database may send anything.
    for (const [, first = '', second = ''] of text.matchAll(/(\d{1,19}) (\d{1,19})/g)) {
      this.#hear(BigInt(first), BigInt(second));
    }
  };
}
