import { startProgram } from '../program/start-program.ts';
import { memoryOf, startProber } from './measure.ts';
import type { Scene } from './scene.ts';
import { production } from './scenes/reading.ts';

export const MOST_HEALTHZ_MS = 250;
export const MEMORY_FACTOR = 1.5;
/** So long a program that was attacked may take to answer again. */
const PATIENCE_MS = 30_000;

export interface Row {
  readonly name: string;
  readonly idle: number;
  readonly peak: number;
  readonly allowed: number;
  /** The worst /healthz while nothing happens: what the machine itself adds. */
  readonly quiet: number;
  readonly healthz: number;
  /** The longest turn of the event loop, in milliseconds of work. */
  readonly turn: number;
  readonly outcome: string;
  /** Everything that did not hold. */
  readonly missed: readonly string[];
}

/** Attacks a program of its own, and says what it cost. */
export async function runScene({ name, flags, documented, prepare }: Scene): Promise<Row> {
  await using program = await startProgram(flags);
  const origin = production(program).origin.replace('0.0.0.0', '127.0.0.1');
  await using prober = startProber(origin);
  await warmUp(origin);
  await pause(1500);
  const memory = memoryOf(program.pid);
  const idle = memory.now();
  const attack = await prepare(program);
  prober.reset();
  await pause(1500);
  const { worst: quiet } = await prober.tell();
  const heldBefore = program.held.length;

  prober.reset();
  memory.start();
  const { text, missed } = await attack();
  const { worst: healthz, failed } = await prober.tell();
  const peak = memory.peak();
  await answering(origin);
  const turn = Math.max(0, ...program.held.slice(heldBefore).map(({ cpu }) => cpu));
  const allowed = MEMORY_FACTOR * idle + documented;
  const ended = program.ended();
  const problems = [
    missed,
    peak > allowed ? `${Math.round(peak)} MB, beyond ${Math.round(allowed)}` : undefined,
    healthz > MOST_HEALTHZ_MS ? `/healthz took ${Math.round(healthz)} ms` : undefined,
    failed > 0 ? `/healthz failed ${failed} times` : undefined,
    ended,
  ];
  const all = problems.filter((problem) => problem !== undefined);
  return { name, idle, peak, allowed, quiet, healthz, turn, outcome: text, missed: all };
}

/** A program that has served a little is what idle means: everything it needs is loaded. */
async function warmUp(origin: string): Promise<void> {
  for (let i = 0; i < 200; i++) await fetch(`${origin}/v1/pets`).then((answer) => answer.arrayBuffer());
}

/** A turn that goes on tells of itself when it ends: whoever waits for it waits for the next answer. */
async function answering(origin: string): Promise<void> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  await fetch(`${origin}/healthz`, { signal }).catch(() => {});
  await pause(100);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
