import { freePort } from '../../../src/engine/free-port.ts';
import { Origin } from '../../../src/gateway/origin/origin.ts';
import { questions } from '../../../src/gateway/questions/all.ts';
import { type QuestionResult, runQuestions } from '../../../src/gateway/run-questions.ts';
import type { Settings } from '../../../src/gateway/settings.ts';
import { type Defect, openProxy } from './proxy.ts';

/** Timeouts that a correct proxy never reaches stay long; unavoidable waits are short. */
const settings: Settings = {
  startTimeout: 20_000,
  responseTimeout: 20_000,
  originTimeout: 9_000,
  limit: 60_000,
  responseDelay: 300,
  commentInterval: 300,
  eventTimeout: 1_000,
  disconnectTimeout: 6_000,
  idle: 150,
  recovery: 6_000,
  clients: 300,
  pieces: 30,
};

/** Asks a proxy with this defect all questions, or some. */
export async function askProxy(
  defect: Defect | undefined,
  only?: readonly string[],
): Promise<QuestionResult[]> {
  await using origin = await Origin.open(await freePort());
  await using proxy = await openProxy(origin.port, defect);
  const chosen = questions.filter(({ id, isSlow }) => only?.includes(id) ?? !isSlow);
  return await runQuestions(chosen, {
    origin,
    url: new URL(proxy.url),
    settings,
    interruption: new AbortController().signal,
    onResult: () => {},
  });
}

export const failed = (answers: readonly QuestionResult[]) =>
  answers.flatMap(({ question: { id }, verdict, problem }) =>
    verdict === 'failed' ? [`${id}: ${problem}`] : [],
  );
