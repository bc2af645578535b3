/** Stands for the revision of a store that a commit has closed. */
export const CLOSED = 0n;

/** The revisions that commits have brought stores to. */
export type Reached = ReadonlyMap<bigint, bigint>;

export type OnCommit = (reached: Reached) => void;

export class CommitListeners {
  readonly #listeners = new Set<OnCommit>();

  add(listener: OnCommit): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  tell: OnCommit = (reached) => {
    for (const listener of this.#listeners) listener(reached);
  };
}
