import { startPlain, startProgram } from '../program/start-program.ts';
import { pause } from './clients.ts';
import { memoryOf, startProber } from './measure.ts';
import { startDatabase } from './postgres.ts';
import { measureSlowdown } from './processor-time.ts';
import { type Health, production, type Scene, type Setting } from './scene.ts';

/** Processor time for which /healthz may wait. */
export const MAX_HEALTHZ_MS = 250;
/** How much slower /healthz may be than a plain node:http next to it, which other load slows just as much. */
export const MAX_HEALTHZ_FACTOR = 3;
/** Processor time for which a request on a new connection may wait: a queue of connections is accepted one per tick. */
export const MAX_NEW_CONNECTION_MS = 1_000;
export const MEMORY_FACTOR = 1.5;
/** How long a program may take to respond after an attack, and then to exit. */
const TIMEOUT_MS = 30_000;
const QUIET_MS = 1_000;

export interface Row {
  readonly name: string;
  readonly setting: string;
  readonly idle: number;
  readonly peak: number;
  readonly allowed: number;
  readonly healthz: Health;
  /** The same for a plain node:http server: next to the service, during the attack, or under the same attack. */
  readonly plain: Health;
  /** How much longer the event loops took than on processors of their own. */
  readonly slowdown: number;
  /** The longest event-loop tick, in milliseconds of work. */
  readonly longestTick: number;
  readonly outcome: string;
  /** Every limit that was exceeded, and every failure. */
  readonly problems: readonly string[];
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
  await using plainProgram = await startPlain();
  await using prober = startProber(program, workers);
  await using plainProber = startProber(plainProgram, 1);
  await warmUp(origin);
  await pause(QUIET_MS);
  const memory = memoryOf(program.pid);
  const idle = memory.now();
  const attack = await scene.prepare(program, count, seconds);
  const blockedBefore = program.blocked.length;

  for (const each of [prober, plainProber]) each.reset();
  memory.resetPeak();
  const slowdownSince = measureSlowdown(program.pid);
  const { text, problem, plain: attacked, afterwards } = await attack();
  const [healthz, nextTo] = await Promise.all([prober.report(), plainProber.report()]);
  const plain = attacked?.health ?? nextTo;
  const maxTick = Math.max(MAX_HEALTHZ_MS, MAX_HEALTHZ_FACTOR * (attacked?.longestTick ?? 0));
  const hasSurvived = program.ended() === undefined;
  const peak = hasSurvived ? memory.peak() : 0;
  const slowdown = hasSurvived ? slowdownSince() : 1;
  const later = hasSurvived ? await afterwards?.() : undefined;
  const isResponding = await isResponsive(origin);
  const longestTick = Math.max(0, ...program.blocked.slice(blockedBefore).map(({ cpu }) => cpu));
  const allowed = MEMORY_FACTOR * idle + scene.allowedMegabytes(count);
  const ended = program.ended();
  const hasStopped = ended !== undefined || (await program.stop(TIMEOUT_MS));
  const candidates = [
    problem,
    later?.problem,
    peak > allowed ? `${Math.round(peak)} MB, more than the allowed ${Math.round(allowed)}` : undefined,
    scene.isLong ? p99Problem(healthz, plain, slowdown) : worstProblem(healthz, plain),
    newConnectionProblem(healthz, plain),
    longestTick > maxTick ? `a tick took ${Math.round(longestTick)} ms of processor time` : undefined,
    healthz.failed > 0 ? `/healthz failed ${healthz.failed} times` : undefined,
    isResponding ? undefined : 'it no longer responds',
    hasStopped ? undefined : 'it did not stop on SIGTERM',
    ended,
  ];
  const problems = candidates.filter((candidate) => candidate !== undefined);
  return {
    name,
    setting,
    idle,
    peak,
    allowed,
    healthz,
    plain,
    slowdown,
    longestTick,
    outcome: [text, later?.text].filter(Boolean).join('; '),
    problems,
  };
}

const isSlower = (ms: number, plainMs: number) => ms > MAX_HEALTHZ_FACTOR * plainMs;

function p99Problem({ p99 }: Health, plain: Health, slowdown: number): string | undefined {
  return isSlower(p99 / slowdown, plain.p99)
    ? `p99 of /healthz is ${(p99 / plain.p99).toFixed(1)} × that of a plain node:http`
    : undefined;
}

function worstProblem({ worst, worstCpuMs }: Health, plain: Health): string | undefined {
  return worstCpuMs > MAX_HEALTHZ_MS && isSlower(worst, plain.worst)
    ? `/healthz waited for ${Math.round(worstCpuMs)} ms of processor time`
    : undefined;
}

function newConnectionProblem({ worstNew, worstNewCpuMs }: Health, plain: Health): string | undefined {
  return worstNewCpuMs > MAX_NEW_CONNECTION_MS && isSlower(worstNew, plain.worstNew)
    ? `a new connection waited for ${Math.round(worstNewCpuMs)} ms of processor time`
    : undefined;
}

/** The idle baseline is measured after some requests, when all code is loaded. */
async function warmUp(origin: string): Promise<void> {
  for (let i = 0; i < 200; i++) await fetch(`${origin}/v1/pets`).then((response) => response.arrayBuffer());
}

/** Whether /healthz responds. By then, a long tick has ended; the pause gives the report of it time to arrive. */
async function isResponsive(origin: string): Promise<boolean> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(`${origin}/healthz`, { signal }).catch(() => undefined);
  await pause(100);
  return response?.ok ?? false;
}
