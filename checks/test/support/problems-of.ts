import { testContext } from '../../../server/test/support/command.ts';
import { askQuestion } from '../../src/client/ask-question.ts';
import { openTestStore } from '../../src/client/private-store.ts';
import { questions } from '../../src/client/questions/all.ts';

/** No verdict depends on how busy the machine is: what hangs is ended with the test. */
export const NO_LIMIT = 99_999;

/** Questions in which a client without a timeout never ends, and the limit that ends it: longer than a careful timeout. */
export const hanging: ReadonlySet<string> = new Set(['never-responds', 'order-never-responds']);
export const HANGING_SECONDS = 25;
/** For every question to one client. */
export const TIMEOUT_MS = 1_800_000;

/** Puts the questions in this process, all but the array of 100,000 by default, and returns the problem of each not passed. */
export async function problemsOf(
  command: readonly string[],
  ids = questions.map(({ id }) => id).filter((id) => id !== 'large-list'),
  seconds = NO_LIMIT,
): Promise<Record<string, string>> {
  await using store = await openTestStore();
  const { env, interruption } = testContext().context;
  const limits = { env, seconds, interruption: interruption() };
  const problems: Record<string, string> = {};
  for (const question of questions.filter(({ id }) => ids.includes(id))) {
    const { verdict, problem = verdict } = await askQuestion(store, command, question, limits);
    if (verdict !== 'passed') problems[question.id] = problem;
  }
  return problems;
}
