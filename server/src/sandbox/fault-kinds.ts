import { MOST_MS } from './limits.ts';

/** What can go wrong on purpose, what each takes as a parameter, and what the client sees of it. */
export const faultKinds = {
  status: { parameter: 'code', means: 'that documented Error, with its headers; nothing is done' },
  delay: { parameter: 'ms', means: 'the right answer, later' },
  slow: { parameter: 'ms', means: 'the right answer, its bytes spread over that time' },
  drop: { means: 'the connection closes before a byte of the answer; nothing is done' },
  reset: { means: 'the same with a TCP reset' },
  truncate: { means: 'right status and headers, half of the body, then the connection closes' },
  garbage: { means: 'bytes that are not HTTP, then the connection closes; nothing is done' },
  'lost-answer': {
    means: 'the change is made and durable; the connection closes before a byte of the answer',
  },
  'stale-connection': {
    means: 'the right answer with keep-alive, then the connection is closed without a word',
  },
} as const satisfies Record<string, { parameter?: 'code' | 'ms'; means: string }>;

export type FaultKind = keyof typeof faultKinds;
export const faultNames = Object.keys(faultKinds) as FaultKind[];

/** A fault that a request meets. */
export interface Fault {
  readonly kind: FaultKind;
  /** Milliseconds of `delay` and `slow`. */
  readonly ms?: number;
  /** The HTTP status of `status`. */
  readonly code?: number;
}

/** What a request asks for itself: to fail, and the moment at which to take place. */
export interface Wishes {
  readonly fault?: Fault;
  readonly now?: number;
}

export function isFaultKind(name: string): name is FaultKind {
  return Object.hasOwn(faultKinds, name);
}

/** The fault of this name with its parameter, by its name; undefined if that is not one it takes. */
export function faultOf(kind: FaultKind, parameters: Readonly<Record<string, number>>): Fault | undefined {
  const wanted: { means: string; parameter?: 'code' | 'ms' } = faultKinds[kind];
  const given = Object.keys(parameters);
  if (wanted.parameter === undefined) return given.length === 0 ? { kind } : undefined;
  const value = parameters[wanted.parameter];
  if (given.length !== 1 || value === undefined || !Number.isInteger(value)) return undefined;
  if (wanted.parameter === 'code') return { kind, code: value };
  return value >= 0 && value <= MOST_MS ? { kind, ms: value } : undefined;
}

declare module '../http/server/request.ts' {
  interface Request {
    /** What it asks for itself, and what goes wrong with it on purpose. */
    wishes?: Wishes;
    fault?: Fault;
  }
}
