import type pg from 'pg';
import { closeClient, connectClient } from './postgres-connection.ts';

const RETRY_MS = 500;
/** Pairs in one message; PostgreSQL takes 8,000 bytes of it. */
const MOST_PAIRS = 100;

type Pair = readonly [bigint, bigint];

/**
 * Sends pairs of numbers to all replicas by NOTIFY; of those with the same first number only the newest. Before `listen`
 * and while the connection is lost, pairs are neither sent nor heard: they are hints, and who needs them asks by itself.
 */
export class PostgresChannel {
  readonly #url: string;
  readonly #name: string;
  readonly #hear: (pairs: readonly Pair[]) => void;
  readonly #unsent = new Map<bigint, bigint>();
  #connecting: Promise<void> | undefined;
  #client: pg.Client | undefined;
  #sending: Promise<void> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(url: string, name: string, hear: (pairs: readonly Pair[]) => void) {
    this.#url = url;
    this.#name = name;
    this.#hear = hear;
  }

  listen(): void {
    this.#connecting ??= this.#connect();
  }

  /** Pairs that come while a message is on its way share the next one. */
  send(pairs: Iterable<Pair>): void {
    if (!this.#client) return;
    for (const [first, second] of pairs) this.#unsent.set(first, second);
    this.#sending ??= this.#sendAll(this.#client).finally(() => {
      this.#sending = undefined;
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    await this.#connecting;
    await this.#sending;
    if (this.#client) await closeClient(this.#client);
  }

  async #connect(): Promise<void> {
    let client: pg.Client | undefined;
    try {
      client = await connectClient(this.#url);
      client.on('notification', ({ payload = '' }) => this.#hear(pairsOf(payload)));
      client.on('end', () => this.#connectAgain());
      await client.query(`SET synchronous_commit = off; LISTEN ${this.#name}`);
      this.#client = client;
    } catch {
      if (client) await closeClient(client);
      this.#connectAgain();
    }
  }

  #connectAgain(): void {
    this.#client = undefined;
    clearTimeout(this.#retry);
    if (this.#isClosed) return;
    this.#retry = setTimeout(() => {
      this.#connecting = this.#connect();
    }, RETRY_MS).unref();
  }

  /** NOTIFY in the transaction of a change would make all commits wait for each other. */
  async #sendAll(client: pg.Client): Promise<void> {
    while (this.#unsent.size > 0) {
      const pairs = [...this.#unsent].slice(0, MOST_PAIRS);
      for (const [first] of pairs) this.#unsent.delete(first);
      const values = [this.#name, pairs.map((pair) => pair.join(' ')).join(',')];
      try {
        await client.query({ name: 'notify', text: 'SELECT pg_notify($1, $2)', values });
      } catch {
        this.#unsent.clear();
      }
    }
  }
}

function pairsOf(text: string): Pair[] {
  const found = text.matchAll(/(\d{1,19}) (\d{1,19})/g);
  return Array.from(found, ([, first = '', second = '']) => [BigInt(first), BigInt(second)] as const);
}
