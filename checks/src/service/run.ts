import { CannotProve, type Check } from './check.ts';

export type Result = {
  check: Check;
  milliseconds: number;
} & (
  | { verdict: 'passed' }
  | { verdict: 'failed'; error: unknown }
  | { verdict: 'not checked'; reason: string }
);

/** Runs one check after the other: what one of them changes, the next may look at. */
export async function* runChecks(checks: readonly Check[]): AsyncGenerator<Result> {
  for (const check of checks) {
    const start = performance.now();
    const judged = await judge(check);
    yield { check, milliseconds: performance.now() - start, ...judged };
  }
}

async function judge({ run }: Check) {
  try {
    await run();
    return { verdict: 'passed' } as const;
  } catch (error) {
    if (error instanceof CannotProve) return { verdict: 'not checked', reason: error.message } as const;
    return { verdict: 'failed', error } as const;
  }
}

/** The checks whose id is named, or begins with a name and a dot: `v2.pages` stands for all of its section. */
export function selectChecks(checks: readonly Check[], names: readonly string[]): Check[] {
  return checks.filter(({ id }) => names.some((name) => id === name || id.startsWith(`${name}.`)));
}
