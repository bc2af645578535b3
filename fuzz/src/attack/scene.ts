import type { Program, StartedDeployment } from '../program/start-program.ts';

/** One attack: what it needs, what it does, and what it may cost besides idle. */
export interface Scene {
  /** `{n}` stands for how many. */
  readonly name: string;
  readonly count: number;
  /** Flags of the program that it is about. */
  readonly flags?: readonly string[];
  readonly engine?: 'postgres';
  /** Megabytes that the docs say this kind of work takes. */
  documented(count: number): number;
  /** Makes ready what the attack needs, before anything is measured. */
  prepare(program: Program, count: number, seconds: number): Promise<Attack>;
}

type Attack = () => Promise<Outcome>;

interface Outcome {
  /** What became of it, in a few words. */
  readonly text: string;
  /** What should not have happened; undefined if the limits of the scene held. */
  readonly missed?: string | undefined;
}

/** How the service is run that is attacked. */
export interface Setting {
  readonly name: string;
  readonly factor: number;
  readonly workers: number;
  readonly flags: readonly string[];
}

export const settings: readonly Setting[] = [
  { name: '1 process', factor: 1, workers: 1, flags: [] },
  {
    name: '2 workers',
    factor: 2,
    workers: 2,
    flags: ['--workers', '2', '--host', '0.0.0.0', '--demo', '--webhooks-private', '--rate-limit', 'none'],
  },
];

/** No attack goes on for longer. */
export const MAX_MS = 12_000;
/** Where attackers come from, so that limits of an address do not meet those who watch. */
export const ATTACKER = '127.0.0.2';

export const production = ({ deployments }: Program) => deployments[0] as StartedDeployment;
export const staging = ({ deployments }: Program) => deployments[1] as StartedDeployment;
export const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));
