import { testContext } from '../../../server/test/support/command.ts';
import { putQuestion } from '../../src/check-client/put-question.ts';
import { questions } from '../../src/check-client/questions/all.ts';
import { openStage } from '../../src/check-client/stage.ts';

/** Puts the questions in this process, but not the array of 100,000, and gives what is said of each not passed. */
export async function problemsOf(
  command: readonly string[],
  isPut = (_: string) => true,
): Promise<Record<string, string>> {
  await using stage = await openStage();
  const { env, interruption } = testContext().context;
  const limits = { env, seconds: 60, interruption: interruption() };
  const problems: Record<string, string> = {};
  for (const question of questions.filter(({ id }) => id !== 'large-list' && isPut(id))) {
    const { verdict, problem = verdict } = await putQuestion(stage, command, question, limits);
    if (verdict !== 'passed') problems[question.id] = problem;
  }
  return problems;
}
