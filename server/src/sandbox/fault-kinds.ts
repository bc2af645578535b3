import { MOST_MS, MOST_RETRY_AFTER } from './limits.ts';

/** What can go wrong on purpose, which parameters each takes, the first of them always, and what the client sees of it. */
export const faultKinds = {
  status: {
    parameters: ['code', 'retryAfter', 'retryAfterForm'],
    means: 'that documented Error, with its headers; nothing is done',
  },
  delay: { parameters: ['ms'], means: 'the right answer, later' },
  slow: { parameters: ['ms'], means: 'the right answer, its bytes spread over that time' },
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
} as const satisfies Record<string, { parameters?: readonly Parameter[]; means: string }>;

export type FaultKind = keyof typeof faultKinds;
export const faultNames = Object.keys(faultKinds) as FaultKind[];

type Parameter = keyof typeof isParameter;

const isFromTo = (first: number, last: number) => (value: unknown) =>
  Number.isInteger(value) && (value as number) >= first && (value as number) <= last;
const isParameter = {
  code: isFromTo(400, 599),
  ms: isFromTo(0, MOST_MS),
  retryAfter: isFromTo(0, MOST_RETRY_AFTER),
  retryAfterForm: (value: unknown) => value === 'seconds' || value === 'date',
};

/** The names of what a fault takes. */
export function parametersOf(kind: FaultKind): readonly Parameter[] {
  const { parameters = [] }: { means: string; parameters?: readonly Parameter[] } = faultKinds[kind];
  return parameters;
}

/** A fault that a request meets. */
export interface Fault {
  readonly kind: FaultKind;
  /** Milliseconds of `delay` and `slow`. */
  readonly ms?: number;
  /** The HTTP status of `status`. */
  readonly code?: number;
  /** Seconds that `status` asks to wait, and how `Retry-After` says so. */
  readonly retryAfter?: number;
  readonly retryAfterForm?: 'seconds' | 'date';
}

/** What a request asks for itself: to fail, and the moment at which to take place. */
export interface Wishes {
  readonly fault?: Fault;
  readonly now?: number;
}

export function isFaultKind(name: string): name is FaultKind {
  return Object.hasOwn(faultKinds, name);
}

/** The fault of this name with its parameters, by their names; undefined if they are not those that it takes. */
export function faultOf(kind: FaultKind, given: Readonly<Record<string, unknown>>): Fault | undefined {
  const taken = parametersOf(kind);
  const isComplete = taken.length === 0 || Object.hasOwn(given, taken[0] as string);
  const isRight = Object.entries(given).every(
    ([name, value]) => taken.includes(name as Parameter) && isParameter[name as Parameter](value),
  );
  return isComplete && isRight ? { kind, ...given } : undefined;
}

declare module '../http/server/request.ts' {
  interface Request {
    /** What it asks for itself, and what goes wrong with it on purpose. */
    wishes?: Wishes;
    fault?: Fault;
  }
}
