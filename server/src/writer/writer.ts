import type { ArgsOf, ResultOf, VerbName } from './verbs.ts';

/** The one way to change the data. A promise resolves only after its change is on disk. */
export interface Writer {
  apply<V extends VerbName>(verb: V, args: ArgsOf<V>): Promise<ResultOf<V>>;
  /** Finishes what was handed in, then lets go of the database. */
  close(): Promise<void>;
}
