import type pg from 'pg';
import { closeInTime, connectClient } from '../database/postgres-connection.ts';
import type { Reached } from './transaction.ts';
import type { OnCommit } from './writer.ts';

const CHANNEL = 'petstore_commits';
const RETRY_MS = 500;
/** Stores in one message; PostgreSQL takes 8,000 bytes of it. */
const MOST_STORES = 100;

/**
 * Tells all replicas by NOTIFY what stores have reached. Before `listen` and while the connection is lost, nothing is
 * sent or heard: these are hints, and listeners also look for themselves now and then.
 */
export class CommitChannel {
  readonly #url: string;
  readonly #hear: OnCommit;
  readonly #unsent = new Map<bigint, bigint>();
  #connecting: Promise<void> | undefined;
  #client: pg.Client | undefined;
  #sending: Promise<void> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(url: string, hear: OnCommit) {
    this.#url = url;
    this.#hear = hear;
  }

  listen(): void {
    this.#connecting ??= this.#connect();
  }

  /** Commits that come while a message is on its way share the next one. */
  send(reached: Reached): void {
    if (!this.#client) return;
    for (const [storeId, revision] of reached) this.#unsent.set(storeId, revision);
    this.#sending ??= this.#sendAll(this.#client).finally(() => {
      this.#sending = undefined;
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    await this.#connecting;
    await this.#sending;
    if (this.#client) await closeInTime(this.#client);
  }

  async #connect(): Promise<void> {
    let client: pg.Client | undefined;
    try {
      client = await connectClient(this.#url);
      client.on('notification', ({ payload = '' }) => this.#hear(reachedIn(payload)));
      client.on('end', () => this.#connectAgain());
      await client.query(`SET synchronous_commit = off; LISTEN ${CHANNEL}`);
      this.#client = client;
    } catch {
      if (client) await closeInTime(client);
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
      const sent = [...this.#unsent].slice(0, MOST_STORES);
      for (const [storeId] of sent) this.#unsent.delete(storeId);
      const values = [CHANNEL, sent.map((pair) => pair.join(' ')).join()];
      try {
        await client.query({ name: 'notify', text: 'SELECT pg_notify($1, $2)', values });
      } catch {
        this.#unsent.clear();
      }
    }
  }
}

function reachedIn(payload: string): Reached {
  const pairs = payload.matchAll(/(\d{1,19}) (\d{1,19})/g);
  return new Map(Array.from(pairs, ([, storeId = '', revision = '']) => [BigInt(storeId), BigInt(revision)]));
}
