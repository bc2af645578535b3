import { Finding, type Verdict } from './finding.ts';
import { Fixture, type Sent } from './fixture.ts';
import type { Origin } from './origin/origin.ts';
import type { Question } from './question.ts';
import type { Settings } from './settings.ts';

/** Maximum number of concurrent questions. */
const CONCURRENCY = 8;

export interface QuestionResult {
  readonly question: Question;
  readonly verdict: Verdict;
  /** Why it failed, or was not tried. */
  readonly problem?: string;
  readonly advice?: string;
  readonly seconds: number;
  /** The exchanges on both sides of the gateway. */
  readonly sent: readonly Sent[];
  readonly received: readonly { readonly request: string; readonly response: string }[];
}

export interface AskOptions {
  readonly origin: Origin;
  readonly url: URL;
  readonly settings: Settings;
  readonly interruption: AbortSignal;
  readonly onResult: (result: QuestionResult) => void;
}

/**
 * Asks all questions. Slow ones start first and run concurrently with the rest; those that disturb others run sequentially
 * afterwards.
 */
export async function runQuestions(
  questions: readonly Question[],
  options: AskOptions,
): Promise<QuestionResult[]> {
  const results: QuestionResult[] = [];
  const ask = async (question: Question) => {
    options.interruption.throwIfAborted();
    const result = await askQuestion(question, options);
    options.interruption.throwIfAborted();
    results.push(result);
    options.onResult(result);
  };
  const scheduled = (when: Question['when']) =>
    questions.filter((question) => (question.when ?? 'concurrent') === when);
  const runQueue = async (queue: Question[]) => {
    for (let next = queue.shift(); next; next = queue.shift()) await ask(next);
  };
  const runOthers = async () => {
    const concurrent = scheduled('concurrent');
    await Promise.all(Array.from({ length: CONCURRENCY }, () => runQueue(concurrent)));
    await runQueue(scheduled('failing'));
  };
  await Promise.all([...scheduled('first').map(ask), runOthers()]);
  await runQueue(scheduled('alone'));
  await runQueue(scheduled('last'));
  return questions.flatMap((question) => results.filter((result) => result.question === question));
}

/** After failures, each process of the gateway may avoid the origin for a while: many requests in a row must succeed. */
const SUCCESSES_BEFORE_ALONE = 20;

async function askQuestion(
  question: Question,
  { origin, url, settings }: AskOptions,
): Promise<QuestionResult> {
  const started = performance.now();
  using fixture = new Fixture(origin, url, settings);
  const run = async () => {
    if (question.when === 'alone') await fixture.ready(SUCCESSES_BEFORE_ALONE);
    await question.run(fixture);
  };
  const finding = await run().then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof Finding) return error;
      throw new Error(`internal error in the check '${question.id}'`, { cause: error });
    },
  );
  const verdict = finding?.verdict ?? 'passed';
  const recorded = {
    question,
    verdict,
    seconds: (performance.now() - started) / 1000,
    sent: fixture.sent,
    received: fixture.replies.map((reply) => ({ request: reply.request.summary, response: reply.summary })),
  };
  if (!finding) return recorded;
  return verdict === 'passed'
    ? { ...recorded, advice: finding.message }
    : { ...recorded, problem: finding.message };
}
