import type { Program, StartedDeployment } from '../program/start-program.ts';

/** Latency of /healthz. */
export interface Health {
  /** The worst, in milliseconds. */
  readonly worst: number;
  /** How often the status was not 200. */
  readonly failed: number;
  /** The 99th percentile in milliseconds. */
  readonly p99: number;
  /** The most processor time that an event loop used while a request waited, in milliseconds. Other programs do not affect it. */
  readonly worstCpuMs: number;
  /** `worst` and `worstCpuMs` of requests on a new connection. */
  readonly worstNew: number;
  readonly worstNewCpuMs: number;
}

/** One attack: its preconditions, its requests, and its allowed cost above idle. */
export interface Scene {
  /** `{n}` is replaced by the count. */
  readonly name: string;
  readonly count: number;
  /** Flags of the attacked program. */
  readonly flags?: readonly string[];
  readonly engine?: 'postgres';
  /** Runs for `seconds`, which may be an hour: p99 of /healthz is limited, not the worst. */
  readonly isLong?: true;
  /** Megabytes that the docs allow for this kind of work. */
  allowedMegabytes(count: number): number;
  /** Prepares the attack, before anything is measured. */
  prepare(program: Program, count: number, seconds: number): Promise<Attack>;
}

type Attack = () => Promise<Outcome>;

export interface PlainResult {
  readonly health: Health;
  readonly longestTick: number;
}

interface Outcome {
  /** The outcome, in a few words. */
  readonly text: string;
  /** What went wrong; undefined if the scene's limits held. */
  readonly problem?: string | undefined;
  /** The same attack on a plain node:http, if what it slows is Node itself. Otherwise the plain one is not attacked. */
  readonly plain?: PlainResult;
  /** Runs after memory and latency have been measured, because it would affect them. */
  readonly afterwards?: () => Promise<Outcome>;
}

/** How the attacked service is run. */
export interface Setting {
  readonly name: string;
  /** Multiplies the count of each scene. */
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

/** Maximum duration of an attack. */
export const MAX_MS = 12_000;
/** The attackers' address, so that per-address limits do not affect the probes. */
export const ATTACKER = '127.0.0.2';

export const production = ({ deployments }: Program) => deployments[0] as StartedDeployment;
export const staging = ({ deployments }: Program) => deployments[1] as StartedDeployment;
export const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));
