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

/** The first parameter is required. */
const fault = (description: string, ...parameters: Parameter[]) => ({ description, parameters });

export const faultKinds = {
  status: fault(
    'the documented error with that status, including its headers; the request has no effect',
    'code',
    'retryAfter',
    'retryAfterForm',
  ),
  delay: fault('the correct response, delayed', 'ms'),
  slow: fault('the correct response, its bytes spread over `ms` milliseconds', 'ms'),
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

/** Returns undefined for invalid parameters. In text, parameter names are lower-case. */
export function parseFault(kind: FaultKind, format: 'json' | 'text', values: Record<string, unknown>) {
  const { parameters } = faultKinds[kind];
  if (parameters[0] !== undefined && !Object.hasOwn(values, parameters[0])) return undefined;
  const fault: Record<string, unknown> = { kind };
  for (const [name, value] of Object.entries(values)) {
    const parameter = parameters.find((key) => (format === 'json' ? key : key.toLowerCase()) === name);
    if (!parameter) return undefined;
    const { read, parse = read }: Field<unknown> = faultParameters[parameter];
    const parsed = format === 'json' ? read(value) : parse(String(value));
    if (parsed === undefined) return undefined;
    fault[parameter] = typeof parsed === 'bigint' ? Number(parsed) : parsed;
  }
  return fault as unknown as Fault;
}

/** `text` is the preference as sent, for `Preference-Applied`. */
export interface RequestPreferences {
  readonly fault?: Fault & { readonly text: string };
  readonly now?: { readonly time: number; readonly text: string };
}

declare module '../http/server/request.ts' {
  interface Request {
    preferences?: RequestPreferences;
    fault?: Fault | undefined;
  }
}
