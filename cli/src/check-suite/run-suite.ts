import { startBreakingProxy } from '../../../acceptance/src/bugs/breaking-proxy.ts';
import type { Bug } from '../../../acceptance/src/bugs/bug.ts';
import type { Fired } from '../../../acceptance/src/bugs/exchange.ts';
import { type Operation, operationOf } from '../../../acceptance/src/bugs/operations.ts';
import { openPrivateStore } from '../../../server/src/open-private-store.ts';
import { type Ran, type RunLimits, runCommand } from '../run-command.ts';

/** Of what a bug did, so much is kept to be shown. */
const MOST_SHOWN = 2;

/** One run of somebody's suite. */
export interface SuiteRun extends Ran {
  /** How often it met the bug, and the first times. */
  readonly met: number;
  readonly fired: readonly Fired[];
}

/** A run that is spared: a suite that does not call an operation cannot notice a bug in it. */
export const spared: SuiteRun = {
  code: 0,
  end: 'does not call this operation',
  stdout: '',
  stderr: '',
  met: 0,
  fired: [],
};

/** What a suite is run against: a service with a bug, or one with none. */
type Tested = Pick<Bug, 'breaks'> & Partial<Pick<Bug, 'operation'>>;

/** The right service, which tells what is called of it. */
export const rightService = (called: Set<Operation | undefined>): Tested => ({
  breaks: () => ({ head: (_, asked) => void called.add(operationOf(asked)) }),
});

/** Runs a suite against a service of its own with a fresh store. */
export async function runSuite(
  command: readonly string[],
  limits: RunLimits,
  { operation, breaks }: Tested,
): Promise<SuiteRun> {
  await using store = await openPrivateStore();
  const fired: Fired[] = [];
  let met = 0;
  // The right one stands behind the same proxy, so that nothing but the bug differs.
  await using proxy = await startBreakingProxy({
    target: Number(new URL(store.address).port),
    operation,
    breaking: breaks(),
    onFired(one) {
      met += 1;
      if (fired.length < MOST_SHOWN) fired.push(one);
    },
  });
  const variables = {
    PETSTORE_URL: `${proxy.origin}/v1`,
    PETSTORE_V2_URL: `${proxy.origin}/v2`,
    PETSTORE_KEY: store.key,
  };
  const ran = await runCommand(command, { ...limits, variables });
  return { ...ran, met, fired };
}
