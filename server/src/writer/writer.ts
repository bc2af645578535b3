import type { WriterLoad } from './command-queue.ts';
import type { OnCommit } from './commit-listeners.ts';
import type { Verb } from './verb.ts';

/** The one way to change the data. A promise resolves only after its change is on disk. */
export interface Writer {
  apply<Args extends object, Result>(verb: Verb<Args, Result>, args: Args): Promise<Result>;
  /** Tells of commits, here and on other replicas; one may be missed, or told of twice. Returns how to stop. */
  onCommit(listener: OnCommit): () => void;
  readonly load?: WriterLoad | undefined;
  close(): Promise<void>;
}
