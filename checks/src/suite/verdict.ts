import { NotJudged } from '../engine/exit-codes.ts';
import type { SuiteRun } from './run-suite.ts';

/** What a run says about a bug. Only the first means that the suite found it. */
export type SuiteVerdict = 'noticed' | 'missed' | 'not met' | 'failed without meeting it' | 'timed out';

export function verdictOf({ code, met, timedOut }: SuiteRun): SuiteVerdict {
  if (timedOut) return 'timed out';
  if (code === 0) return met > 0 ? 'missed' : 'not met';
  return met > 0 ? 'noticed' : 'failed without meeting it';
}

/** The suite fails, or does not give the same result every time, so that no failure can be put down to a bug. */
export class NotSteady extends NotJudged {
  /** The run that failed. */
  readonly run: SuiteRun;

  constructor(code: 'suite_failed' | 'suite_not_steady', message: string, run: SuiteRun) {
    super(code, message);
    this.run = run;
  }
}
