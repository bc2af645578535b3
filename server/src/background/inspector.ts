import type { Connection } from '../database/engine.ts';
import { anyRequestBefore, type RequestRow, requestIdAt } from '../requests/record-requests.ts';
import type { Writer } from '../writer/writer.ts';
import type { Job } from './background.ts';

/** Requests of a store that are worth writing down: of more that come in a second, the last ones. */
const MOST_OF_STORE = 200;
/** And of all stores together; of those that come when there are so many, none is kept. */
const MOST = 4_000;
/** Rows of one change: each is short, so that no other change waits long behind it. */
const MOST_IN_A_CHANGE = 250;
export const KEPT_MS = 86_400_000;
const FORGET_MS = 60_000;

/** What is remembered of a request until it is written down; its texts are made then. */
export interface Inspected {
  readonly storeId: bigint;
  row(): Omit<RequestRow, 'storeId' | 'id'>;
}

interface Remembered {
  readonly at: number;
  readonly inspected: Inspected;
}

/** The last requests of each store: remembered here without any work, written together once a second. */
export class Inspector implements Job {
  readonly name = 'inspector';
  readonly rest: number;
  readonly #db: Connection;
  readonly #writer: Writer;
  readonly #now: () => number;
  #byStore = new Map<bigint, Remembered[]>();
  #count = 0;
  #next = Math.floor(Math.random() * 2 ** 20);
  #forgotAt = 0;

  constructor(db: Connection, writer: Writer, now: () => number, rest = 1_000) {
    this.#db = db;
    this.#writer = writer;
    this.#now = now;
    this.rest = rest;
  }

  note(inspected: Inspected): void {
    const ofStore = this.#byStore.get(inspected.storeId) ?? [];
    if (ofStore.length === MOST_OF_STORE) {
      // The oldest makes room, and costs nothing more.
      ofStore.shift();
      this.#count--;
    }
    if (this.#count >= MOST) return;
    ofStore.push({ at: this.#now(), inspected });
    this.#byStore.set(inspected.storeId, ofStore);
    this.#count++;
  }

  async run(): Promise<void> {
    const remembered = [...this.#byStore.values()].flat();
    this.#byStore = new Map();
    this.#count = 0;
    for (let first = 0; first < remembered.length; first += MOST_IN_A_CHANGE) {
      const rows = remembered.slice(first, first + MOST_IN_A_CHANGE).map(({ at, inspected }) => ({
        ...inspected.row(),
        storeId: inspected.storeId,
        id: requestIdAt(at, this.#next++),
      }));
      await this.#writer.apply('recordRequests', { rows });
    }
    await this.#forget();
  }

  finish = () => this.run();

  async #forget(): Promise<void> {
    if (this.#now() - this.#forgotAt < FORGET_MS) return;
    this.#forgotAt = this.#now();
    const before = this.#now() - KEPT_MS;
    const found = await this.#db.all(anyRequestBefore, { id: requestIdAt(before, 0) });
    if (found.length > 0) await this.#writer.apply('forgetRequests', { before: BigInt(before) });
  }
}
