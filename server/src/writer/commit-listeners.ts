/** In the place of a revision, for a store that a commit has closed. */
export const CLOSED = 0n;

/** A store and the revision that a commit brought it to. */
export interface Reached {
  readonly storeId: bigint;
  readonly revision: bigint;
}

export type OnCommit = (reached: Reached) => void;

/** Whoever wants to know of commits, and how they are all told of one. */
export class CommitListeners {
  readonly #listeners = new Set<OnCommit>();

  /** Returns how to stop. */
  add(listener: OnCommit): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  tell: OnCommit = (reached) => {
    for (const listener of this.#listeners) listener(reached);
  };
}
