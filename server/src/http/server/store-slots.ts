import { Unavailable } from '../../database/engine.ts';

const LONGEST_WAIT_MS = 5_000;

interface Store {
  taken: number;
  readonly waiting: Set<() => void>;
}

/** So much work of one costly kind may be under way for each store. What comes beyond that waits, but not for ever. */
export class StoreSlots {
  readonly #mostOfStore: number;
  readonly #stores = new Map<bigint, Store>();

  constructor(mostOfStore: number) {
    this.#mostOfStore = mostOfStore;
  }

  /** Gives back how to end the work that begins now. */
  async take(storeId: bigint): Promise<() => void> {
    const store = this.#stores.get(storeId) ?? { taken: 0, waiting: new Set() };
    this.#stores.set(storeId, store);
    if (store.taken < this.#mostOfStore) store.taken++;
    else await turnIn(store.waiting);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#giveBack(storeId, store);
    };
  }

  #giveBack(storeId: bigint, store: Store): void {
    const [next] = store.waiting;
    // Whoever waits takes over the slot, which stays taken.
    if (next) next();
    else if (--store.taken === 0) this.#stores.delete(storeId);
  }
}

function turnIn(waiting: Set<() => void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const next = () => {
      clearTimeout(late);
      waiting.delete(next);
      resolve();
    };
    const late = setTimeout(() => {
      waiting.delete(next);
      reject(new Unavailable('too much of this kind is under way for the store'));
    }, LONGEST_WAIT_MS);
    waiting.add(next);
  });
}
