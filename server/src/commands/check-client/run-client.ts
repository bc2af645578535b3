import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { UsageError } from '../../config/usage-error.ts';
import type { Outcome, Question } from './questions.ts';
import type { WatchedStore } from './watched-store.ts';

const LONGEST_MS = 60_000;
/** What a program says on standard error is looked at no further. */
const MOST_SAID = 100_000;
/** How a program says that it does not do what it was asked to. */
const NOT_TRIED = 64;

export type Verdict = 'passed' | 'not tried' | { readonly problem: string };

/** Puts one question to a program: sets the stage, runs it, and looks at what came of it. */
export async function putQuestion(
  store: WatchedStore,
  command: readonly string[],
  question: Question,
): Promise<Verdict> {
  const { dataSet = { dataSet: 'default' }, fault } = question;
  await store.call('POST /v2/sandbox/reset', dataSet);
  if (fault) await store.call('PUT /v2/sandbox/faults', [fault]);
  store.arrivals.length = 0;
  const waiting = [...(question.cancelled ?? [])];
  const changes: Promise<unknown>[] = [];
  store.onArrival = ({ method }) => {
    const id = method === 'GET' ? waiting.shift() : undefined;
    // One that has shipped stays as it is.
    if (id !== undefined) changes.push(store.call(`DELETE /v2/store/orders/${id}`).catch(() => {}));
  };
  const ran = await run(store, command, question);
  const arrivals = [...store.arrivals];
  store.onArrival = () => {};
  await Promise.all(changes);
  await store.call('DELETE /v2/sandbox/faults');
  const ids = [...(await store.call('GET /v1/store/orders')).matchAll(/"id":(\d+)/g)].map(
    ([, id]) => id as string,
  );
  if (ran.code === NOT_TRIED) return 'not tried';
  const problem = question.problem({ ...ran, arrivals, ids });
  return problem === undefined ? 'passed' : { problem };
}

async function run(
  { address, key }: WatchedStore,
  [program = '', ...args]: readonly string[],
  question: Question,
): Promise<Pick<Outcome, 'code' | 'printed' | 'said'>> {
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PETSTORE_ADDRESS: address,
      PETSTORE_KEY: question.key ?? key,
      PETSTORE_TASK: question.task,
      PETSTORE_ORDER_ID: question.orderId ?? '',
    },
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (more: string) => {
    text += more;
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (more: string) => {
    if (said.length < MOST_SAID) said += more;
  });
  const late = setTimeout(() => child.kill('SIGKILL'), LONGEST_MS);
  const [code] = (await once(child, 'close')
    .catch((error) => {
      throw new UsageError(`cannot run the client: ${error.message}`);
    })
    .finally(() => clearTimeout(late))) as [number | null];
  return { code, said, printed: text.split('\n').filter((line) => line !== '') };
}
