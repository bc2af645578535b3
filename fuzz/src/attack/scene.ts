import type { Program } from '../program/start-program.ts';

/** One attack: what it needs, what it does, and what it may cost besides idle. */
export interface Scene {
  readonly name: string;
  /** Flags of the program that it is about. */
  readonly flags?: readonly string[];
  /** Megabytes that the docs say this kind of work takes. */
  readonly documented: number;
  /** Makes ready what the attack needs, before anything is measured. */
  prepare(program: Program): Promise<Attack>;
}

type Attack = () => Promise<Outcome>;

interface Outcome {
  /** What became of it, in a few words. */
  readonly text: string;
  /** What should not have happened; undefined if the limits of the scene held. */
  readonly missed?: string | undefined;
}

/** No attack goes on for longer. */
export const LONGEST_MS = 12_000;
