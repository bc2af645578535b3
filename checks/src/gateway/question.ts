import type { Stage } from './stage.ts';

/** A question to a gateway. */
export interface Question {
  /** For `--only`. */
  readonly id: string;
  /** Heading under which it is listed. */
  readonly group: string;
  /** What a correct gateway does: `repeats no DELETE whose response was lost`. */
  readonly ask: string;
  /** Why it matters, or what to set. */
  readonly expectation: string;
  /**
   * `together`: next to others. `first`: takes long, so it starts first, next to all others. `failing`: the origin fails,
   * after which a gateway may avoid it for a while. `alone`: nothing else is running. `last`: everything else has finished.
   */
  readonly when?: 'together' | 'first' | 'failing' | 'alone' | 'last';
  /** Takes minutes: only with `--slow`. */
  readonly isSlow?: true;
  /** Asks the question. Throws a `Finding` unless it passes without advice. */
  readonly run: (stage: Stage) => Promise<void>;
}
