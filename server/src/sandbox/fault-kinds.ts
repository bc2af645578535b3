import { type Field, integer, oneOf } from '../http/fields/field.ts';

export const faultParameters = {
  code: integer([400, 599], 'For `status`: the status code of an error that the operation documents.', 503),
  ms: integer([0, 30_000], 'For `delay` and `slow`: duration in milliseconds.', 2000),
  retryAfter: integer([0, 3_600], 'For `status`: the number of seconds in `Retry-After`, 1 by default.', 5),
  retryAfterForm: {
    ...oneOf(
      'For `status`: whether `Retry-After` is in `seconds` (the default) or a `date`.',
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
    'the documented error with that status, including its headers; the request has no effect',
    'code',
    'retryAfter',
    'retryAfterForm',
  ),
  delay: fault('the correct response, delayed', 'ms'),
  slow: fault('the correct response, its bytes spread over that time', 'ms'),
  drop: fault('the connection closes before any byte of the response; the request has no effect'),
  reset: fault('like `drop`, with a TCP reset'),
  truncate: fault('the correct status and headers, half of the body, then the connection closes'),
  garbage: fault('bytes that are not HTTP, then the connection closes; the request has no effect'),
  'lost-answer': fault(
    'the change is applied and durable, but the connection closes before any byte of the response',
  ),
  'stale-connection': fault(
    'the correct response with keep-alive, then the connection closes without notice',
  ),
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
export interface RequestPreferences {
  readonly fault?: Fault & { readonly text: string };
  readonly now?: { readonly moment: number; readonly text: string };
}

declare module '../http/server/request.ts' {
  interface Request {
    preferences?: RequestPreferences;
    fault?: Fault | undefined;
  }
}
