import { countsOf, type Report } from './report.ts';

/** Exit codes of every check. `UsageError`, also thrown for a command that cannot be run, exits with `usage`. */
export const exitCodes = { passed: 0, failed: 1, usage: 2, noVerdict: 3, internalError: 4 } as const;

/** Nothing could be judged: the service cannot be reached, or the suite is flaky. Exits with 3. */
export class NoVerdict extends Error {
  override name = 'NoVerdict';
  readonly code: string;

  /** `code` names the reason in JSON: `suite_failed`. */
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export function exitCodeOf(report: Report): number {
  const { passed, of } = countsOf(report);
  if (report.isUnusable || of === 0) return exitCodes.noVerdict;
  return passed === of ? exitCodes.passed : exitCodes.failed;
}
