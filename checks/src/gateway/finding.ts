export type Verdict = 'passed' | 'failed' | 'not tried';

/** How a question ended. */
export class Finding extends Error {
  readonly verdict: Verdict;

  constructor(verdict: Verdict, message: string) {
    super(message);
    this.verdict = verdict;
  }
}

/** It harms a client or a store. */
export function fail(problem: string): never {
  throw new Finding('failed', problem);
}

/** The gateway may choose so; it passes. */
export function advise(advice: string): never {
  throw new Finding('passed', advice);
}

/** Cannot be judged. */
export function skip(reason: string): never {
  throw new Finding('not tried', reason);
}
