import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bug } from '../bugs/bug.ts';
import { startBugProxy } from '../bugs/bug-proxy.ts';
import type { BugEffect } from '../bugs/exchange.ts';
import { type Operation, operationOf } from '../bugs/operations.ts';
import { type RunLimits, type RunResult, runCommand } from '../engine/run-command.ts';
import { failedTestsOf } from './failed-tests.ts';
import { openStores } from './open-stores.ts';

/** Recorded occurrences of a bug per run. */
const MAX_RECORDED = 2;

/** One run of the suite. */
export interface SuiteRun extends RunResult {
  /** How often the suite met the bug, and the first occurrences. */
  readonly met: number;
  readonly effects: readonly BugEffect[];
  /** Names of the failed tests, if the suite reports them. */
  readonly failedTests: readonly string[];
}

/** The result of a skipped run: a suite that does not call an operation cannot meet a bug in it. */
export const skippedRun: SuiteRun = {
  code: 0,
  end: 'does not call this operation',
  timedOut: false,
  stdout: '',
  stderr: '',
  met: 0,
  effects: [],
  failedTests: [],
};

/** The service under test: with a bug, or without. */
type ServiceUnderTest = Pick<Bug, 'createHooks'> & Partial<Pick<Bug, 'operation'>>;

/** The correct service, which records the operations called. */
export const correctService = (called: Set<Operation | undefined>): ServiceUnderTest => ({
  createHooks: () => ({ head: (_, forwarded) => void called.add(operationOf(forwarded)) }),
});

/** Runs the suite once against a private service with a new store. */
export async function runSuite(
  command: readonly string[],
  limits: RunLimits,
  { operation, createHooks }: ServiceUnderTest,
): Promise<SuiteRun> {
  await using store = await openStores();
  const folder = mkdtempSync(join(tmpdir(), 'petstore-suite-'));
  using _removed = { [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
  const effects: BugEffect[] = [];
  let met = 0;
  // The correct service runs behind the same proxy, so that only the bug differs.
  await using proxy = await startBugProxy({
    target: Number(new URL(store.address).port),
    operation,
    hooks: createHooks(),
    onEffect(effect) {
      met += 1;
      if (effects.length < MAX_RECORDED) effects.push(effect);
    },
  });
  const junit = join(folder, 'junit.xml');
  const variables = {
    PETSTORE_URL: `${proxy.origin}/v1`,
    PETSTORE_V2_URL: `${proxy.origin}/v2`,
    PETSTORE_KEY: store.key,
    PETSTORE_READ_KEY: store.readKey,
    PETSTORE_OTHER_KEY: store.otherKey,
    PETSTORE_JUNIT: junit,
  };
  const ran = await runCommand(command, { ...limits, variables });
  return { ...ran, met, effects, failedTests: failedTestsOf(junit, ran.stdout) };
}
