import { type Field, integer, oneOf } from '../http/fields/field.ts';

export const faultParameters = {
  code: integer([400, 599], 'Of `status`: the status of an error that the operation documents.', 503),
  ms: integer([0, 30_000], 'Of `delay` and `slow`: how long, in milliseconds.', 2000),
  retryAfter: integer(
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

/** The client sees what `means` says. The first of the parameters must be given. */
const fault = (means: string, ...parameters: Parameter[]) => ({ means, parameters });

export const faultKinds = {
  status: fault(
    'that documented Error, with its headers; nothing is done',
    'code',
    'retryAfter',
    'retryAfterForm',
  ),
  delay: fault('the right answer, later', 'ms'),
  slow: fault('the right answer, its bytes spread over that time', 'ms'),
  drop: fault('the connection closes before a byte of the answer; nothing is done'),
  reset: fault('the same with a TCP reset'),
  truncate: fault('right status and headers, half of the body, then the connection closes'),
  garbage: fault('bytes that are not HTTP, then the connection closes; nothing is done'),
  'lost-answer': fault('the change is made and durable; the connection closes before a byte of the answer'),
  'stale-connection': fault('the right answer with keep-alive, then the connection is closed without a word'),
};

export type FaultKind = keyof typeof faultKinds;
export const faultNames = Object.keys(faultKinds) as FaultKind[];

export interface Fault {
  readonly kind: FaultKind;
  readonly ms?: number;
  readonly code?: number;
  readonly retryAfter?: number;
  readonly retryAfterForm?: 'seconds' | 'date';
}

/** Undefined if the parameters are not those that the fault takes. As text they have names in small letters. */
export function faultOf(kind: FaultKind, sentAs: 'json' | 'text', given: Record<string, unknown>) {
  const { parameters } = faultKinds[kind];
  if (parameters[0] !== undefined && !Object.hasOwn(given, parameters[0])) return undefined;
  const fault: Record<string, unknown> = { kind };
  for (const [name, value] of Object.entries(given)) {
    const taken = parameters.find((one) => (sentAs === 'json' ? one : one.toLowerCase()) === name);
    if (!taken) return undefined;
    const { read, parse = read }: Field<unknown> = faultParameters[taken];
    const found = sentAs === 'json' ? read(value) : parse(String(value));
    if (found === undefined) return undefined;
    fault[taken] = typeof found === 'bigint' ? Number(found) : found;
  }
  return fault as unknown as Fault;
}

/** A request can ask for itself to fail, and to take place at another moment: each with the text of its preference. */
export interface Wishes {
  readonly fault?: Fault & { readonly text: string };
  readonly now?: { readonly moment: number; readonly text: string };
}

declare module '../http/server/request.ts' {
  interface Request {
    wishes?: Wishes;
    fault?: Fault | undefined;
  }
}
