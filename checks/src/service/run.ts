import { type Check, Inconclusive } from './check.ts';
import type { Response } from './http.ts';
import { Mismatch } from './mismatch.ts';

export type Result = {
  readonly check: Check;
  /** The exchange that decided a failure. */
  readonly exchange?: Response;
} & (
  | { readonly verdict: 'passed' }
  | { readonly verdict: 'failed'; readonly error: unknown }
  | { readonly verdict: 'not checked'; readonly reason: string }
);

export interface Monitor {
  /** Responses recorded so far. */
  responses(): readonly Response[];
  /** Whether the service responds at all. */
  isAlive(): Promise<boolean>;
}

/** Runs checks sequentially: later ones depend on changes by earlier ones. Stops if the service stops responding. */
export async function* runChecks(checks: readonly Check[], monitor?: Monitor): AsyncGenerator<Result> {
  let stopped: string | undefined;
  for (const check of checks) {
    if (stopped !== undefined) {
      yield { check, verdict: 'not checked', reason: stopped };
      continue;
    }
    const from = monitor?.responses().length ?? 0;
    const result = await judge(check);
    const recent = monitor?.responses().slice(from) ?? [];
    const exchange = result.verdict === 'failed' ? decidingExchange(result.error, recent) : undefined;
    yield { check, ...result, ...(exchange && { exchange }) };
    if (monitor && result.verdict === 'failed' && isNoResponse(result.error) && !(await monitor.isAlive()))
      stopped = `the service stopped responding after check ${check.id}`;
  }
}

async function judge({ run }: Check) {
  try {
    await run();
    return { verdict: 'passed' } as const;
  } catch (error) {
    if (error instanceof Inconclusive) return { verdict: 'not checked', reason: error.message } as const;
    return { verdict: 'failed', error } as const;
  }
}

const isNoResponse = (error: unknown): boolean =>
  !(error instanceof Mismatch) || error.received.startsWith('no response');

function decidingExchange(error: unknown, recent: readonly Response[]): Response | undefined {
  if (!(error instanceof Mismatch)) return undefined;
  return recent.findLast(({ request }) => request === error.where) ?? recent.at(-1);
}

/** The checks whose id is named, or begins with a name and a dot: `v2.pages` selects all of its section. */
export function selectChecks(checks: readonly Check[], names: readonly string[]): Check[] {
  return checks.filter(({ id }) => names.some((name) => id === name || id.startsWith(`${name}.`)));
}
