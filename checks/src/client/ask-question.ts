import { operationOf } from '../bugs/operations.ts';
import { freePort } from '../engine/free-port.ts';
import { type RunLimits, runCommand } from '../engine/run-command.ts';
import { type Exchange, forward, requestOf } from '../engine/wire.ts';
import { deliver, type Receiver } from './deliver.ts';
import { eventIdOf, isAccepted } from './deliveries.ts';
import type { Stage } from './private-store.ts';
import type { Outcome, Question } from './question.ts';
import { changeOf, onAskedOf } from './set-up-wire.ts';

/** Exit code of a client for an unsupported task. */
const NOT_TRIED = 64;

/** The verdict on one question. */
export interface QuestionResult {
  readonly question: Question;
  readonly verdict: 'passed' | 'failed' | 'not tried';
  readonly problem?: string;
  /** Of the round that decided. */
  readonly outcome: Outcome;
}

/** Puts one question to a client: prepares the store, runs the client and judges the outcome. */
export async function askQuestion(
  stage: Stage,
  command: readonly string[],
  question: Question,
  limits: RunLimits,
): Promise<QuestionResult> {
  for (let left = question.attempts ?? 1; ; left -= 1) {
    const result = await askOnce(stage, command, question, limits);
    if (result.verdict !== 'failed' || left <= 1) return result;
  }
}

async function askOnce(
  stage: Stage,
  command: readonly string[],
  question: Question,
  limits: RunLimits,
): Promise<QuestionResult> {
  const { rounds = [{}] } = question;
  const outcomes: Outcome[] = [];
  for (const round of rounds) {
    const outcome = await play(stage, command, { ...question, ...round }, limits);
    // After a request of the operation, it is a failure like any other.
    if (outcome.code === NOT_TRIED && outcome.requests.length === 0)
      return { question, outcome, verdict: 'not tried' };
    const isSilent = outcome.exchanges.length === 0 && !question.deliveries;
    const problem = isSilent
      ? `it ${outcome.end} without sending a request`
      : question.problem(outcome, outcomes);
    if (problem !== undefined) return { question, outcome, verdict: 'failed', problem };
    outcomes.push(outcome);
  }
  return { question, outcome: outcomes.at(-1) as Outcome, verdict: 'passed' };
}

async function play(
  { wire, key, call }: Stage,
  command: readonly string[],
  question: Question,
  limits: RunLimits,
): Promise<Outcome> {
  const { dataSet = { dataSet: 'default' }, fault, events, deliveries, keepStore } = question;
  let revision = 0;
  if (!keepStore) ({ revision } = JSON.parse(await call('POST /v2/sandbox/reset', dataSet)));
  if (fault) await call('PUT /v2/sandbox/faults', [fault]);
  const expected = new Set(deliveries?.filter(isAccepted).map(eventIdOf));
  for (let count = 1; count <= (events?.count ?? 0); count += 1) {
    await call('POST /v2/store/orders', { petId: 1, quantity: 1 });
    expected.add(String(revision + count));
  }
  const receiver: Receiver | undefined = deliveries && {
    url: `http://127.0.0.1:${await freePort()}/webhooks`,
    secret: `whsec_${btoa('shared by store and receiver')}`,
  };

  wire.exchanges.length = 0;
  wire.onAsked = onAskedOf(question, call);
  wire.change = changeOf(question);
  let delivering: ReturnType<typeof deliver> | undefined;
  const { stdout, stderr, ...ran } = await runCommand(command, {
    ...limits,
    variables: {
      PETSTORE_URL: `${wire.origin}/v1`,
      PETSTORE_V2_URL: `${wire.origin}/v2`,
      PETSTORE_KEY: question.key ?? key,
      PETSTORE_TASK: question.task,
      PETSTORE_ORDER_ID: question.orderId ?? '',
      PETSTORE_AFTER: events ? String(revision) : '',
      PETSTORE_COUNT: expected.size > 0 ? String(expected.size) : '',
      PETSTORE_WEBHOOK_URL: receiver?.url ?? '',
      PETSTORE_WEBHOOK_SECRET: receiver?.secret ?? '',
    },
    ...(receiver && {
      async meanwhile(hasEnded) {
        delivering = deliver(receiver, deliveries ?? [], hasEnded);
        await delivering;
      },
    }),
  });
  const delivered = await delivering;
  const exchanges = delivered?.exchanges ?? [...wire.exchanges];
  wire.onAsked = forward;
  await call('DELETE /v2/sandbox/faults');
  const ids = [...(await call('GET /v1/store/orders')).matchAll(/"id":(\d+)/g)].map(([, id]) => id as string);
  return {
    ...ran,
    said: stderr,
    printed: stdout.split('\n').flatMap((line) => line.trim() || []),
    exchanges,
    requests: exchanges.filter((exchange) => isOf(question, exchange)),
    ids,
    expected: [...expected],
    responseStatuses: delivered?.responseStatuses ?? [],
  };
}

/** A client supports a task or not: one that skips it in some questions only fails those. */
export function withoutSkips(results: readonly QuestionResult[]): QuestionResult[] {
  const tasks = new Set(
    results.flatMap(({ question, verdict }) => (verdict === 'not tried' ? [] : question.task)),
  );
  return results.map((result) => {
    if (result.verdict !== 'not tried' || !tasks.has(result.question.task)) return result;
    const problem = `it exited with code ${NOT_TRIED}, though it does this task for other questions`;
    return { ...result, verdict: 'failed', problem };
  });
}

/** Whether the request is one of the operation that the question asks about. */
export const isOf = ({ operation }: Question, exchange: Exchange): boolean =>
  operation === 'webhooks' || operationOf(requestOf(exchange)) === operation;
