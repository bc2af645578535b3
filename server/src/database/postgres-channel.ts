import type pg from 'pg';
import { closeClient, connectClient } from './postgres-connection.ts';

const RETRY_MS = 500;
/** Pairs in one message; PostgreSQL takes 8,000 bytes of it. */
const MOST_PAIRS = 100;

/**
 * Sends pairs of numbers to other replicas by NOTIFY; of those with the same first number only the newest. They are
 * hints: while the connection is lost, so are they. Inside a transaction, NOTIFY would make all commits wait for each
 * other.
 */
export class PostgresChannel {
  readonly #url: string;
  readonly #name: string;
  readonly #hear: (first: bigint, second: bigint) => void;
  readonly #unsent = new Map<bigint, bigint>();
  #client: Promise<pg.Client> | undefined;
  #sending: Promise<void> | undefined;
  #isListening = false;
  #retry: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(url: string, name: string, hear: (first: bigint, second: bigint) => void) {
    this.#url = url;
    this.#name = name;
    this.#hear = hear;
  }

  send(first: bigint, second: bigint): void {
    this.#unsent.set(first, second);
    this.#sending ??= this.#sendAll();
  }

  /** Hears all replicas, this one included. */
  listen(): void {
    if (!this.#isListening) void this.#listen();
    this.#isListening = true;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    await this.#sending;
    const client = await this.#client?.catch(() => undefined);
    if (client) await closeClient(client);
  }

  async #sendAll(): Promise<void> {
    // Commits that end at the same moment share a message.
    await new Promise(setImmediate);
    while (this.#unsent.size > 0) {
      const pairs = [...this.#unsent].slice(0, MOST_PAIRS);
      for (const [first] of pairs) this.#unsent.delete(first);
      const values = [this.#name, pairs.map((pair) => pair.join(' ')).join(',')];
      try {
        const client = await this.#connected();
        await client.query({ name: 'notify', text: 'SELECT pg_notify($1, $2)', values });
      } catch {
        this.#unsent.clear();
      }
    }
    this.#sending = undefined;
  }

  async #listen(): Promise<void> {
    try {
      await (await this.#connected()).query(`LISTEN ${this.#name}`);
    } catch {
      this.#listenLater();
    }
  }

  #listenLater(): void {
    clearTimeout(this.#retry);
    if (this.#isListening && !this.#isClosed)
      this.#retry = setTimeout(() => this.#listen(), RETRY_MS).unref();
  }

  #connected(): Promise<pg.Client> {
    this.#client ??= this.#connect().catch((error) => {
      this.#client = undefined;
      throw error;
    });
    return this.#client;
  }

  async #connect(): Promise<pg.Client> {
    const client = await connectClient(this.#url);
    client.on('notification', ({ payload = '' }) => this.#heard(payload));
    client.on('end', () => {
      this.#client = undefined;
      this.#listenLater();
    });
    // A hint need not be on disk.
    await client.query('SET synchronous_commit = off');
    return client;
  }

  #heard(text: string): void {
    // Anybody with the database may send anything.
    for (const [, first = '', second = ''] of text.matchAll(/(\d{1,19}) (\d{1,19})/g)) {
      this.#hear(BigInt(first), BigInt(second));
    }
  }
}
