import { operationOf } from '../bugs/operations.ts';
import { freePort } from '../engine/free-port.ts';
import { type RunLimits, runCommand } from '../engine/run-command.ts';
import { callIn, type Exchange, forward, requestOf, statusOf } from '../engine/wire.ts';
import { deliver, type Receiver } from './deliver.ts';
import { isAccepted, newBatch } from './deliveries.ts';
import { unexpectedChange } from './expectations.ts';
import type { TestStore } from './private-store.ts';
import type { Change, Outcome, Question } from './question.ts';
import { changeOf, onRequestOf } from './set-up-wire.ts';

/** Exit code of a client for an unsupported task. */
const NOT_TRIED = 64;

/** The verdict on one question. */
export interface QuestionResult {
  readonly question: Question;
  readonly verdict: 'passed' | 'failed' | 'not tried';
  readonly problem?: string;
  /** The outcome of the deciding round. */
  readonly outcome: Outcome;
}

/** Puts one question to a client: prepares the store, runs the client and judges the outcome. */
export async function askQuestion(
  store: TestStore,
  command: readonly string[],
  question: Question,
  limits: RunLimits,
): Promise<QuestionResult> {
  for (let attemptsLeft = question.attempts ?? 1; ; attemptsLeft -= 1) {
    const result = await askOnce(store, command, question, limits);
    const isInconclusive = result.problem !== undefined && question.isInconclusive?.(result.problem);
    if (!isInconclusive || attemptsLeft <= 1) return result;
  }
}

async function askOnce(
  store: TestStore,
  command: readonly string[],
  question: Question,
  limits: RunLimits,
): Promise<QuestionResult> {
  const { rounds = [{}] } = question;
  const outcomes: Outcome[] = [];
  for (const round of rounds) {
    const outcome = await runRound(store, command, { ...question, ...round }, limits, outcomes.at(-1));
    // Once the client has called the operation, this exit code is a failure like any other.
    if (outcome.code === NOT_TRIED && outcome.requests.length === 0)
      return { question, outcome, verdict: 'not tried' };
    const problem = problemOf({ ...question, ...round }, outcome, outcomes);
    if (problem !== undefined) return { question, outcome, verdict: 'failed', problem };
    outcomes.push(outcome);
  }
  return { question, outcome: outcomes.at(-1) as Outcome, verdict: 'passed' };
}

function problemOf(question: Question, outcome: Outcome, earlier: readonly Outcome[]): string | undefined {
  const { end, exchanges, requests } = outcome;
  if (exchanges.length === 0 && !question.deliveries) return `it ${end} without sending a request`;
  const problem = question.problem(outcome, earlier) ?? unexpectedChange(question, outcome);
  // A rejected key may stop the client before it reaches the operation.
  const isStopped = question.key !== undefined && outcome.code !== 0;
  if (problem !== undefined || requests.length > 0 || isStopped || hasOnlyRead(question, outcome))
    return problem;
  return question.deliveries ? undefined : `it never called ${question.operation}`;
}

/** Whether the program failed after reading only what the question allows. */
const hasOnlyRead = ({ allowedReads }: Question, { code, exchanges }: Outcome): boolean =>
  code !== 0 &&
  exchanges.some((one) => allowedReads?.test(callIn(one)) && [200, 404].includes(statusOf(one) ?? 0));

async function runRound(
  { wire, key, call }: TestStore,
  command: readonly string[],
  question: Question,
  limits: RunLimits,
  earlier: Outcome | undefined,
): Promise<Outcome> {
  const { dataSet = { dataSet: 'default' }, events, deliveries, keepStore } = question;
  let revision = Number(earlier?.since);
  if (!keepStore) ({ revision } = JSON.parse(await call('POST /v2/sandbox/reset', dataSet)));
  const batch = deliveries && newBatch();
  const expected = new Set(question.expected);
  for (const delivery of deliveries ?? [])
    if (isAccepted(delivery)) expected.add(batch?.eventIdOf(delivery) ?? '');
  for (let count = 1; count <= (events?.count ?? 0); count += 1) {
    await call('POST /v2/store/orders', { petId: 1, quantity: 1 });
    expected.add(String(revision + count));
  }
  const since = String(revision + (events?.count ?? 0));
  const receiver: Receiver | undefined = batch && {
    url: `http://127.0.0.1:${await freePort()}/webhooks`,
    batch,
  };

  wire.exchanges.length = 0;
  wire.onRequest = onRequestOf(question, call);
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
      PETSTORE_COUNT: events || deliveries ? String(expected.size) : '',
      PETSTORE_WEBHOOK_URL: receiver?.url ?? '',
      PETSTORE_WEBHOOK_SECRET: batch?.secret ?? '',
      ...(question.timeZone ? { TZ: question.timeZone } : {}),
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
  wire.onRequest = forward;
  await call('DELETE /v2/sandbox/faults');
  const isSetupChange = ({ id }: Change) => question.cancelBefore?.includes(id);
  const changes = changesIn(await call(`GET /v2/store/events?after=${since}&limit=1000`));
  return {
    ...ran,
    stderr,
    printed: stdout.split('\n').flatMap((line) => line.trim() || []),
    exchanges,
    requests: exchanges.filter((exchange) => callsOperationOf(question, exchange)),
    changes: changes.filter((change) => !isSetupChange(change)),
    since,
    expected: question.expected ?? [...expected],
    responseStatuses: delivered?.responseStatuses ?? [],
  };
}

/** Reads events, with all numbers as text. */
function changesIn(page: string): Change[] {
  const numbersAsText = (_: string, value: unknown, { source }: { source?: string }) =>
    typeof value === 'number' ? source : value;
  const { data } = JSON.parse(page, numbersAsText as (key: string, value: unknown) => unknown);
  return data.map(({ type, data: { id, petId, quantity } }: { type: string; data: Change }) => ({
    type,
    id,
    petId,
    quantity,
  }));
}

/** Turns `not tried` into `failed` for questions whose task the client has tried in another question. */
export function failInconsistentSkips(results: readonly QuestionResult[]): QuestionResult[] {
  const tasks = new Set(
    results.flatMap(({ question, verdict }) => (verdict === 'not tried' ? [] : question.task)),
  );
  return results.map((result) => {
    if (result.verdict !== 'not tried' || !tasks.has(result.question.task)) return result;
    const problem = `it exited with code ${NOT_TRIED}, though it supports this task in other checks`;
    return { ...result, verdict: 'failed', problem };
  });
}

/** Whether the request is one of the operation that the question asks about. */
export const callsOperationOf = ({ operation }: Question, exchange: Exchange): boolean =>
  operation === 'webhooks' || operationOf(requestOf(exchange)) === operation;
