import { startPlain } from '../program/start-program.ts';
import { startProber } from './measure.ts';
import { type PlainResult, production } from './scene.ts';

/** Runs an attack against a plain node:http, whose latency limits that of the service where Node itself is what the attack slows. */
export async function attackPlain(attack: (origin: string) => Promise<unknown>): Promise<PlainResult> {
  await using plain = await startPlain();
  await using prober = startProber(plain, 1);
  await attack(production(plain).origin);
  const health = await prober.report();
  return { health, longestTick: Math.max(0, ...plain.blocked.map(({ cpu }) => cpu)) };
}
