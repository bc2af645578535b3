export type Verdict = 'passed' | 'failed' | 'not tried';

/** How a question ended. */
export class Finding extends Error {
  readonly verdict: Verdict;

  constructor(verdict: Verdict, message: string) {
    super(message);
    this.verdict = verdict;
  }
}

/** Ends the question as failed: this behavior harms a client or a store. */
export function fail(problem: string): never {
  throw new Finding('failed', problem);
}

/** Ends the question as passed, with advice: a gateway may behave like this. */
export function advise(advice: string): never {
  throw new Finding('passed', advice);
}

/** Ends the question as not tried: nothing can be judged. */
export function skip(reason: string): never {
  throw new Finding('not tried', reason);
}
