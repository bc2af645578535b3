import type { Fixture } from './fixture.ts';

/** A question to a gateway. */
export interface Question {
  /** For `--only`. */
  readonly id: string;
  /** Heading under which it is listed. */
  readonly group: string;
  /** What a correct gateway does: `does not retry a DELETE whose response was lost`. */
  readonly requirement: string;
  /** Why it matters, or what to set. */
  readonly hint: string;
  /**
   * `concurrent` (default). `first`: slow, so it starts at once and runs concurrently with all others. `failing`: sequential,
   * because the origin fails and a gateway may then avoid it for a while. `alone`: sequential. `last`: after all others.
   */
  readonly when?: 'concurrent' | 'first' | 'failing' | 'alone' | 'last';
  /** Takes minutes: only with `--slow`. */
  readonly isSlow?: true;
  /** Throws a `Finding` unless it passes without advice. */
  readonly run: (fixture: Fixture) => Promise<void>;
}
