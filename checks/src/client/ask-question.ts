import { freePort } from '../engine/free-port.ts';
import { type RunLimits, runCommand } from '../engine/run-command.ts';
import type { Wire } from '../engine/wire.ts';
import { deliver, eventIdOf, type Receiver } from './deliver.ts';
import type { Stage } from './private-store.ts';
import type { Outcome, Question } from './question.ts';

/** Exit code of a client for an unsupported task. */
const NOT_TRIED = 64;

/** The verdict on one question. */
export interface Answer {
  readonly question: Question;
  readonly verdict: 'passed' | 'failed' | 'not tried';
  readonly problem?: string;
  readonly outcome: Outcome;
}

/** Puts one question to a client: prepares the store, runs the client and judges the outcome. */
export async function askQuestion(
  stage: Stage,
  command: readonly string[],
  question: Question,
  limits: RunLimits,
): Promise<Answer> {
  const outcome = await play(stage, command, question, limits);
  if (outcome.code === NOT_TRIED) return { question, outcome, verdict: 'not tried' };
  const isSilent = outcome.exchanges.length === 0 && !question.deliveries;
  const problem = isSilent ? `it ${outcome.end} without sending a request` : question.problem(outcome);
  return problem === undefined
    ? { question, outcome, verdict: 'passed' }
    : { question, outcome, verdict: 'failed', problem };
}

async function play(
  { wire, key, call }: Stage,
  command: readonly string[],
  question: Question,
  limits: RunLimits,
): Promise<Outcome> {
  const { dataSet = { dataSet: 'default' }, fault, events, deliveries } = question;
  const { revision } = JSON.parse(await call('POST /v2/sandbox/reset', dataSet)) as { revision: number };
  if (fault) await call('PUT /v2/sandbox/faults', [fault]);
  const expected = new Set(deliveries?.filter((one) => one !== 'forged' && one !== 'stale').map(eventIdOf));
  for (let count = 1; count <= (events?.count ?? 0); count += 1) {
    await call('POST /v2/store/orders', { petId: 1, quantity: 1 });
    expected.add(String(revision + count));
  }
  const receiver: Receiver | undefined = deliveries && {
    url: `http://127.0.0.1:${await freePort()}/webhooks`,
    secret: `whsec_${btoa('shared by store and receiver')}`,
  };

  wire.exchanges.length = 0;
  const waiting = [...(question.cancelled ?? [])];
  const changes: Promise<unknown>[] = [];
  wire.onAsked = () => {
    const id = waiting.shift();
    // A shipped order stays unchanged.
    if (id !== undefined) changes.push(call(`DELETE /v2/store/orders/${id}`).catch(() => {}));
  };
  wire.change = changeOf(question);
  let delivered: Awaited<ReturnType<typeof deliver>> | undefined;
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
        delivered = await deliver(receiver, deliveries ?? [], hasEnded);
      },
    }),
  });
  const exchanges = delivered?.exchanges ?? [...wire.exchanges];
  wire.onAsked = () => {};
  await Promise.all(changes);
  await call('DELETE /v2/sandbox/faults');
  const ids = [...(await call('GET /v1/store/orders')).matchAll(/"id":(\d+)/g)].map(([, id]) => id as string);
  return {
    ...ran,
    said: stderr,
    printed: stdout.split('\n').flatMap((line) => line.trim() || []),
    exchanges,
    ids,
    expected: [...expected],
    answers: delivered?.answers ?? [],
  };
}

function changeOf({ events, retryAfterDate }: Question): Wire['change'] {
  if (events) return cutAfter(events.cutAfter);
  return retryAfterDate ? datedRetryAfter : (passed) => ({ passed });
}

/** Cuts the first stream after this number of events. */
function cutAfter(events: number): Wire['change'] {
  let left = events;
  return (bytes) => {
    if (left === 0) return { passed: bytes };
    let end = 0;
    while (left > 0) {
      const at = bytes.indexOf('\ndata:', end);
      if (at < 0) return { passed: bytes };
      end = bytes.indexOf('\n\n', at) + 2;
      left -= 1;
    }
    return { passed: bytes.subarray(0, end), cut: true };
  };
}

/** Rewrites `Retry-After` from seconds to a date, plus one second because dates have no fractions. */
const datedRetryAfter: Wire['change'] = (bytes) => {
  const dated = (_: string, seconds: string) =>
    `retry-after: ${new Date(Date.now() + 1000 * (Number(seconds) + 1)).toUTCString()}\r`;
  return {
    passed: Buffer.from(bytes.toString('latin1').replace(/^retry-after: (\d+)\r/im, dated), 'latin1'),
  };
};
