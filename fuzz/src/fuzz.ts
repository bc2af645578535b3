import { apiFuzzer } from './api/api-fuzzer.ts';
import { type Entrance, openStage } from './api/open-stage.ts';
import type { FuzzerName, Options } from './options.ts';
import { pipelineFuzzer } from './pipelines/pipeline-fuzzer.ts';
import type { BlockedInterval } from './program/blocked-event-loop.ts';
import { type Failure, type Fuzzer, type RunResult, run } from './run.ts';
import { startHealthyClient } from './wire/healthy-client.ts';
import { wireFuzzer } from './wire/wire-fuzzer.ts';

/** The service that is tried. */
export interface Subject {
  readonly entrances: readonly Entrance[];
  /** Whether it was started for this run, so that everything in it is ours. */
  readonly isOwn: boolean;
  readonly held: readonly BlockedInterval[];
  ended(): string | undefined;
  /** A plain node:http: what it holds the event loop with as well is none of ours. */
  readonly beside?: Omit<Subject, 'isOwn' | 'beside'> | undefined;
}

export interface FuzzResult {
  readonly name: string;
  readonly attempts: number;
  readonly healthy: number;
  readonly failures: readonly Failure[];
  /** Attempts during which the event loop was held once, and not again when repeated alone; the one to be repeated. */
  readonly notes: readonly string[];
}

/** So few are under way at once that a turn of the event loop serves few of them. */
const LANES = { api: 4, wire: 4, pipelines: 8 } as const;
const SUSPECTS = 12;
const LAST = 6;

export async function fuzz(name: FuzzerName, subject: Subject, options: Options): Promise<FuzzResult> {
  const { seed, minutes, requests, replay } = options;
  const { entrances, held, ended } = subject;
  const fuzzer = await makers[name](subject, seed);
  const client = startHealthyClient(entrances[0] as Entrance);
  const whole = { held, ended, lanes: LANES[name], until: Date.now() + minutes * 60_000 };
  const result = await run(fuzzer, {
    ...whole,
    first: replay ?? 1,
    count: replay === undefined ? requests : 1,
  });
  const { failures, notes } = await questioned(name, fuzzer, result, subject, seed);
  const { asked, problem } = await client.stop();
  const besides = [problem, ended()].filter((text) => text !== undefined);
  // Whoever ended the program was among the last that were sent.
  const last = (replay ?? 1) + result.attempts - 1;
  const lastSent = Array.from(
    { length: Math.min(LAST, result.attempts) },
    (_, back) => `${last - back}: ${fuzzer.show(last - back)}`,
  );
  return {
    name,
    attempts: result.attempts,
    healthy: asked,
    notes: replay === undefined ? notes : [...notes, `${name} ${replay} sent ${fuzzer.show(replay)}`],
    failures: [
      ...result.failures,
      ...failures,
      ...besides.map((text) => ({
        fuzzer: name,
        number: last,
        problem: text,
        sent: lastSent.join('\n            '),
        received: '',
      })),
    ],
  };
}

const makers: Record<FuzzerName, (subject: Subject, seed: number) => Fuzzer | Promise<Fuzzer>> = {
  api: async ({ entrances, isOwn }, seed) => apiFuzzer(await openStage(entrances, isOwn), seed),
  wire: ({ entrances }, seed) => wireFuzzer(entrances, seed),
  pipelines: ({ entrances }, seed) => pipelineFuzzer(entrances, seed),
};

/** Repeats, each alone, what was under way while the event loop was held: whoever holds it again is the one. */
async function questioned(
  name: string,
  fuzzer: Fuzzer,
  { suspects }: RunResult,
  { held, ended, beside }: Subject,
  seed: number,
): Promise<{ failures: Failure[]; notes: string[] }> {
  const failures: Failure[] = [];
  const notes: string[] = [];
  const worst = [...suspects].sort((a, b) => b[1] - a[1]).slice(0, SUSPECTS);
  for (const [number, cpu] of worst) {
    const alone = { first: number, count: 1, until: Number.POSITIVE_INFINITY, lanes: 1 };
    const again = await run(fuzzer, { ...alone, held, ended });
    const milliseconds = again.suspects.get(number);
    const plain = beside && (await run(pipelineFuzzer(beside.entrances, seed), { ...alone, ...beside }));
    if (plain?.suspects.has(number)) {
      notes.push(`${name} ${number} holds the event loop of plain node:http as well`);
      continue;
    }
    if (milliseconds === undefined) {
      notes.push(
        `${name} ${number} was under way while the event loop was held for ${Math.round(cpu)} ms; alone it holds nothing`,
      );
      continue;
    }
    const problem = `it holds the event loop for ${Math.round(milliseconds)} ms of work`;
    failures.push({ fuzzer: name, number, problem, sent: fuzzer.show(number), received: '' });
  }
  // Whoever was under way beside a culprit is none.
  return { failures, notes: failures.length > 0 ? [] : notes };
}
