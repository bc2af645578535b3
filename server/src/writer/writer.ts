import type { Pool } from '../database/engine.ts';
import type { Reached } from './transaction.ts';
import type { Verb } from './verb.ts';

/** The one way to change the data. A promise resolves only after its change is on disk. */
export interface Writer {
  apply<Args extends object, Result>(verb: Verb<Args, Result>, args: Args): Promise<Result>;
  /** Tells of commits, here and on other replicas; one may be missed, or told of twice. Returns how to stop. */
  onCommit(listener: OnCommit): () => void;
  readonly load?: WriterLoad | undefined;
  close(): Promise<void>;
}

export interface WriterLoad {
  /** Changes that wait for their turn or are being made. */
  waiting: number;
  onGroup: (changes: number, ms: number) => void;
  readonly pool?: Pool;
}

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
