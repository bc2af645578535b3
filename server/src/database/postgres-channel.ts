import { PostgresLink } from './postgres-link.ts';

const RETRY_MS = 500;
/** Pairs in one message; PostgreSQL takes 8,000 bytes of it. */
const MOST_PAIRS = 100;

/**
 * Pairs of numbers from replica to replica, by NOTIFY, on one connection. Of pairs with the same first number only
 * the newest is sent. It carries hints: what is sent while the connection is lost is lost too.
 * A message goes out after its commit and not inside of it: there, it would make all commits wait for each other.
 */
export class PostgresChannel {
  readonly #name: string;
  readonly #link: PostgresLink;
  readonly #hear: (first: bigint, second: bigint) => void;
  readonly #unsent = new Map<bigint, bigint>();
  #listening = false;
  #sending = false;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(url: string, name: string, hear: (first: bigint, second: bigint) => void) {
    this.#hear = hear;
    this.#link = new PostgresLink(url);
    this.#name = name;
  }

  send(first: bigint, second: bigint): void {
    this.#unsent.set(first, second);
    if (!this.#sending) void this.#sendAll();
  }

  /** From now on, hears what all replicas send, this one's own included. */
  listen(): void {
    if (!this.#listening) void this.#listen();
    this.#listening = true;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    await this.#link.close();
  }

  async #sendAll(): Promise<void> {
    this.#sending = true;
    // Commits that end at the same moment share a message.
    await new Promise(setImmediate);
    while (this.#unsent.size > 0 && !this.#closed) {
      const pairs = [...this.#unsent].slice(0, MOST_PAIRS);
      for (const [first] of pairs) this.#unsent.delete(first);
      const values = [this.#name, pairs.map((pair) => pair.join(' ')).join(',')];
      try {
        const session = await this.#link.session();
        await session.run({ name: 'notify', text: 'SELECT pg_notify($1, $2)', values });
      } catch {
        this.#unsent.clear();
      }
    }
    this.#sending = false;
  }

  async #listen(): Promise<void> {
    if (this.#closed) return;
    let lost = false;
    const again = () => {
      if (lost) return;
      lost = true;
      if (!this.#closed) this.#retry = setTimeout(() => this.#listen(), RETRY_MS).unref();
    };
    try {
      const session = await this.#link.session();
      await session.listen(this.#name, this.#heard, again);
    } catch {
      again();
    }
  }

  #heard = (text: string): void => {
    // Anybody with the database may send anything.
    for (const [, first = '', second = ''] of text.matchAll(/(\d{1,19}) (\d{1,19})/g)) {
      this.#hear(BigInt(first), BigInt(second));
    }
  };
}
