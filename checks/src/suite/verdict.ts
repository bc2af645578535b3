import { NoVerdict } from '../engine/exit-codes.ts';
import type { SuiteRun } from './run-suite.ts';

/** The outcome of a run against one bug. Only `noticed` means that the suite found it. */
export type SuiteVerdict = 'noticed' | 'missed' | 'not met' | 'failed without meeting it' | 'timed out';

export function verdictOf({ code, met, timedOut }: SuiteRun): SuiteVerdict {
  if (timedOut) return 'timed out';
  if (code === 0) return met > 0 ? 'missed' : 'not met';
  return met > 0 ? 'noticed' : 'failed without meeting it';
}

/** The suite fails, or does not give the same result every time, so its failures cannot be attributed to a bug. */
export class FlakySuite extends NoVerdict {
  /** The run that failed. */
  readonly run: SuiteRun;

  constructor(code: 'suite_failed' | 'suite_not_steady', message: string, run: SuiteRun) {
    super(code, message);
    this.run = run;
  }
}
