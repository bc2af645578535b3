import { type Field, integer, oneOf } from '../http/fields/field.ts';

/** Each fault: its parameters, of which the first must be given, and what the client sees of it. */
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

export function isFaultKind(name: string): name is FaultKind {
  return Object.hasOwn(faultKinds, name);
}

export const faultParameters = {
  code: integer(
    'int32',
    [400, 599],
    'Of `status`: the status of an error that the operation documents.',
    503,
  ),
  ms: integer('int32', [0, 30_000], 'Of `delay` and `slow`: how long, in milliseconds.', 2000),
  retryAfter: integer(
    'int32',
    [0, 3_600],
    'Of `status`: the seconds that `Retry-After` asks to wait, 1 by default.',
    5,
  ),
  retryAfterForm: {
    ...oneOf(
      'Of `status`: whether `Retry-After` has `seconds`, as by default, or a `date`.',
      { type: 'string', minLength: 4, maxLength: 7, pattern: '^(seconds|date)$' },
      ['seconds', 'date'],
    ),
    example: 'date',
  },
};
type Parameter = keyof typeof faultParameters;

export function parametersOf(kind: FaultKind): readonly Parameter[] {
  const { parameters = [] }: { means: string; parameters?: readonly Parameter[] } = faultKinds[kind];
  return parameters;
}

export interface Fault {
  readonly kind: FaultKind;
  readonly ms?: number;
  readonly code?: number;
  readonly retryAfter?: number;
  readonly retryAfterForm?: 'seconds' | 'date';
}

/** The fault with parameters that were sent as JSON or as text; undefined if they are not those that it takes. */
export function faultOf(
  kind: FaultKind,
  sentAs: 'json' | 'text',
  given: Readonly<Record<string, unknown>>,
): Fault | undefined {
  const taken = parametersOf(kind);
  if (taken[0] !== undefined && !Object.hasOwn(given, taken[0])) return undefined;
  const fault: Record<string, unknown> = { kind };
  for (const [name, value] of Object.entries(given)) {
    if (!taken.includes(name as Parameter)) return undefined;
    const { read, parse = read }: Field<unknown> = faultParameters[name as Parameter];
    const found = sentAs === 'json' ? read(value) : parse(String(value));
    if (found === undefined) return undefined;
    fault[name] = typeof found === 'bigint' ? Number(found) : found;
  }
  return fault as unknown as Fault;
}

/** What a request asks for itself: to fail, and the moment at which to take place. */
export interface Wishes {
  readonly fault?: Fault;
  readonly now?: number;
}

declare module '../http/server/request.ts' {
  interface Request {
    wishes?: Wishes;
    fault?: Fault;
  }
}
