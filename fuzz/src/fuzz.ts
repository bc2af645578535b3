import { apiFuzzer } from './api/api-fuzzer.ts';
import { openStage, type Target } from './api/open-stage.ts';
import type { FuzzerName, Options } from './options.ts';
import { pipelineFuzzer } from './pipelines/pipeline-fuzzer.ts';
import type { BlockedInterval } from './program/blocked-event-loop.ts';
import { type Failure, type Fuzzer, type RunResult, run } from './run.ts';
import { startHealthyClient } from './wire/healthy-client.ts';
import { wireFuzzer } from './wire/wire-fuzzer.ts';

/** The service under test. */
export interface Subject {
  readonly targets: readonly Target[];
  /** Whether this run started it, so that it contains only our data. */
  readonly isOwn: boolean;
  readonly blocked: readonly BlockedInterval[];
  ended(): string | undefined;
  /** A plain node:http: input that also blocks its event loop is not counted as a failure. */
  readonly baseline?: Omit<Subject, 'isOwn' | 'baseline'> | undefined;
}

export interface FuzzResult {
  readonly name: string;
  readonly attempts: number;
  /** Requests of the healthy client. */
  readonly healthy: number;
  readonly failures: readonly Failure[];
  /** Attempts that did not block the event loop when repeated alone; with --replay, the bytes sent. */
  readonly notes: readonly string[];
}

/** Few requests run concurrently, so that few can share a blocked event-loop tick. */
const LANES = { api: 4, wire: 4, pipelines: 8 } as const;
const MAX_SUSPECTS = 12;
const MAX_LAST_SENT = 6;

export async function fuzz(name: FuzzerName, subject: Subject, options: Options): Promise<FuzzResult> {
  const { seed, minutes, requests, replay } = options;
  const { targets, blocked, ended } = subject;
  const fuzzer = await createFuzzer[name](subject, seed);
  const client = startHealthyClient(targets[0] as Target);
  const runOptions = { blocked, ended, lanes: LANES[name], until: Date.now() + minutes * 60_000 };
  const result = await run(fuzzer, {
    ...runOptions,
    first: replay ?? 1,
    count: replay === undefined ? requests : 1,
  });
  const { failures, notes } = await reproduce(name, fuzzer, result, subject, seed);
  const { requests: healthy, problem } = await client.stop();
  const otherProblems = [problem, ended()].filter((text) => text !== undefined);
  // The request that ended the program was among the last ones sent.
  const last = (replay ?? 1) + result.attempts - 1;
  const lastSent = Array.from(
    { length: Math.min(MAX_LAST_SENT, result.attempts) },
    (_, back) => `${last - back}: ${fuzzer.show(last - back)}`,
  );
  return {
    name,
    attempts: result.attempts,
    healthy,
    notes: replay === undefined ? notes : [...notes, `${name} ${replay} sent ${fuzzer.show(replay)}`],
    failures: [
      ...result.failures,
      ...failures,
      ...otherProblems.map((text) => ({
        fuzzer: name,
        number: last,
        problem: text,
        sent: lastSent.join('\n            '),
        received: '',
      })),
    ],
  };
}

const createFuzzer: Record<FuzzerName, (subject: Subject, seed: number) => Fuzzer | Promise<Fuzzer>> = {
  api: async ({ targets, isOwn }, seed) => apiFuzzer(await openStage(targets, isOwn), seed),
  wire: ({ targets }, seed) => wireFuzzer(targets, seed),
  pipelines: ({ targets }, seed) => pipelineFuzzer(targets, seed),
};

/** Finds out which requests block the event loop: repeats, each alone, those that were running while it was blocked. */
async function reproduce(
  name: string,
  fuzzer: Fuzzer,
  { suspects }: RunResult,
  { blocked, ended, baseline }: Subject,
  seed: number,
): Promise<{ failures: Failure[]; notes: string[] }> {
  const failures: Failure[] = [];
  const notes: string[] = [];
  const worst = [...suspects].sort((a, b) => b[1] - a[1]).slice(0, MAX_SUSPECTS);
  for (const [number, cpu] of worst) {
    const alone = { first: number, count: 1, until: Number.POSITIVE_INFINITY, lanes: 1 };
    const again = await run(fuzzer, { ...alone, blocked, ended });
    const milliseconds = again.suspects.get(number);
    const plain = baseline && (await run(pipelineFuzzer(baseline.targets, seed), { ...alone, ...baseline }));
    if (plain?.suspects.has(number)) {
      notes.push(`${name} ${number} blocks the event loop of plain node:http as well`);
      continue;
    }
    if (milliseconds === undefined) {
      notes.push(
        `${name} ${number} was running while the event loop was blocked for ${Math.round(cpu)} ms; repeated alone, it does not block`,
      );
      continue;
    }
    const problem = `it blocks the event loop for ${Math.round(milliseconds)} ms of work`;
    failures.push({ fuzzer: name, number, problem, sent: fuzzer.show(number), received: '' });
  }
  // Requests that ran concurrently with a culprit are not reported.
  return { failures, notes: failures.length > 0 ? [] : notes };
}
