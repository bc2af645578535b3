import { statSync } from 'node:fs';
import { type Connection, type Pool, Unavailable } from './engine.ts';
import { Slots } from './slots.ts';

/** Snapshots that may be open at once. */
const MOST_SNAPSHOTS = 8;
/** While a snapshot is open the log cannot be begun anew; one that made it grow beyond this is given up. */
const MOST_LOG_BYTES = 256 * 1024 * 1024;
const LOOK_MS = 1_000;

export interface SnapshotOptions {
  readonly mostLogBytes?: number;
}

/** What a snapshot is taken on: a connection of its own. */
interface SnapshotConnection extends Connection {
  exec(sql: string): void;
  close(): void;
}

/** Unchanging views of a SQLite file: few, and none of them at the price of a log that grows without bound. */
export class SqliteSnapshots implements Pool {
  readonly #log: string;
  readonly #connect: () => SnapshotConnection;
  readonly #mostLogBytes: number;
  readonly #slots = new Slots(MOST_SNAPSHOTS);
  /** How to end each one that is open. */
  readonly #open = new Set<() => void>();
  readonly idleCount = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    path: string,
    connect: () => SnapshotConnection,
    { mostLogBytes = MOST_LOG_BYTES }: SnapshotOptions,
  ) {
    this.#log = `${path}-wal`;
    this.#connect = connect;
    this.#mostLogBytes = mostLogBytes;
  }

  get totalCount(): number {
    return this.#open.size;
  }

  get waitingCount(): number {
    return this.#slots.waiting;
  }

  async open(): Promise<Connection & AsyncDisposable> {
    const release = await this.#slots.take();
    try {
      return this.#begin(release);
    } catch (error) {
      release();
      throw error;
    }
  }

  #begin(release: () => void): Connection & AsyncDisposable {
    const connection = this.#connect();
    let isOpen = true;
    const end = () => {
      if (!isOpen) return;
      isOpen = false;
      this.#open.delete(end);
      connection.close();
      release();
    };
    this.#open.add(end);
    try {
      connection.exec('BEGIN');
    } catch (error) {
      end();
      throw error;
    }
    this.#timer ??= setInterval(() => this.#look(), LOOK_MS).unref();
    return {
      async all(query, params) {
        if (!isOpen) throw new Unavailable('a list was read so slowly that its snapshot was given up');
        return connection.all(query, params);
      },
      [Symbol.asyncDispose]: async () => end(),
    };
  }

  #look(): void {
    if (sizeOf(this.#log) > this.#mostLogBytes) for (const end of this.#open) end();
    if (this.#open.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

/** What cannot be looked at now is looked at again: nobody waits for the answer. */
function sizeOf(path: string): number {
  try {
    return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  } catch {
    return 0;
  }
}
