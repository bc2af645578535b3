import { startProgram } from '../program/start-program.ts';
import { pause } from './clients.ts';
import { memoryOf, startProber } from './measure.ts';
import { startDatabase } from './postgres.ts';
import { production, type Scene, type Setting } from './scene.ts';

export const MAX_HEALTHZ_MS = 250;
export const MEMORY_FACTOR = 1.5;
/** How long a program may take to respond after an attack, and to exit. */
const TIMEOUT_MS = 30_000;
const QUIET_MS = 1_000;

export interface Row {
  readonly name: string;
  readonly setting: string;
  readonly idle: number;
  readonly peak: number;
  readonly allowed: number;
  /** The worst /healthz without load: what the machine itself adds. */
  readonly baseline: number;
  readonly healthz: number;
  /** The longest event-loop tick, in milliseconds of work. */
  readonly longestTick: number;
  readonly outcome: string;
  /** Every limit that was missed. */
  readonly missed: readonly string[];
}

/** Attacks a separate program and measures the cost. */
export async function runScene(
  scene: Scene,
  { name: setting, factor, workers, flags }: Setting,
  seconds: number,
): Promise<Row> {
  const count = scene.count * factor;
  const name = scene.name.replaceAll('{n}', count.toLocaleString('en'));
  await using database = scene.engine === 'postgres' ? await startDatabase() : undefined;
  await using program = await startProgram([...flags, ...(scene.flags ?? []), ...(database?.flags ?? [])]);
  const { origin } = production(program);
  await using prober = startProber(origin, workers);
  await warmUp(origin);
  await pause(QUIET_MS);
  const memory = memoryOf(program.pid);
  const idle = memory.now();
  const attack = await scene.prepare(program, count, seconds);
  prober.reset();
  await pause(QUIET_MS);
  const { worst: baseline } = await prober.report();
  const blockedBefore = program.blocked.length;

  prober.reset();
  memory.start();
  const { text, missed } = await attack();
  const { worst: healthz, failed } = await prober.report();
  const peak = program.ended() === undefined ? memory.peak() : 0;
  const isResponding = await responses(origin);
  const longestTick = Math.max(0, ...program.blocked.slice(blockedBefore).map(({ cpu }) => cpu));
  const allowed = MEMORY_FACTOR * idle + scene.documented(count);
  const ended = program.ended();
  const hasStopped = ended !== undefined || (await program.stop(TIMEOUT_MS));
  const problems = [
    missed,
    peak > allowed ? `${Math.round(peak)} MB, beyond ${Math.round(allowed)}` : undefined,
    healthz > MAX_HEALTHZ_MS ? `/healthz took ${Math.round(healthz)} ms` : undefined,
    failed > 0 ? `/healthz failed ${failed} times` : undefined,
    isResponding ? undefined : 'it no longer responds',
    hasStopped ? undefined : 'it did not stop on SIGTERM',
    ended,
  ];
  const all = problems.filter((problem) => problem !== undefined);
  return { name, setting, idle, peak, allowed, baseline, healthz, longestTick, outcome: text, missed: all };
}

/** The idle baseline is measured after some requests: everything needed is loaded. */
async function warmUp(origin: string): Promise<void> {
  for (let i = 0; i < 200; i++) await fetch(`${origin}/v1/pets`).then((response) => response.arrayBuffer());
}

/** A long tick is reported when it ends: the next response comes after that. */
async function responses(origin: string): Promise<boolean> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(`${origin}/healthz`, { signal }).catch(() => undefined);
  await pause(100);
  return response?.ok ?? false;
}
