import { ConnectionError, PetStoreError } from './errors.ts';
import { type Call, type Exchange, readBody } from './exchange.ts';
import { type ApiResponse, headOf } from './result.ts';
import { requireTime, sleep } from './time.ts';

export interface CallOptions {
  /** Ends the call; what it rejects with is the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for all tries together. */
  readonly timeout?: number | undefined;
  /** How often this call is tried again. */
  readonly retries?: number | undefined;
  /** Sent besides those of the client, such as `if-none-match` or `prefer`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** What is told to the `log` of a client. It never holds the API key. */
export interface LogEntry {
  readonly type: 'request' | 'answer' | 'failure' | 'retry';
  readonly method: string;
  readonly path: string;
  /** 1 for the first try. */
  readonly attempt: number;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  /** Milliseconds: how long the try took; of a `retry`, how long it is waited before. */
  readonly ms?: number;
  readonly error?: PetStoreError;
}

export interface RetryPolicy {
  readonly timeout: number;
  readonly tryTimeout: number;
  readonly retries: number;
  readonly retryDelay: number;
  readonly log?: ((entry: LogEntry) => void) | undefined;
}

/** A call that is repeated when that is safe. */
interface RepeatableCall extends Call {
  /** `always`: doing it twice is doing it once. `ifNotSent`: only if it surely was not done. */
  readonly repeat: 'always' | 'ifNotSent';
}

export type Send = <T>(call: RepeatableCall, options?: CallOptions) => Promise<ApiResponse<T>>;

const maxDelay = 5_000;

/** Statuses after which the same request may get another answer. */
const passing = new Set([408, 429, 500, 502, 503, 504]);

export function tell({ log }: RetryPolicy, entry: LogEntry): void {
  try {
    log?.(entry);
  } catch {
    // A log that fails is no reason to fail the call.
  }
}

export function createSend(exchange: Exchange, retryPolicy: RetryPolicy): Send {
  return async <T>(call: RepeatableCall, options: CallOptions = {}): Promise<ApiResponse<T>> => {
    const { signal, timeout = retryPolicy.timeout, retries = retryPolicy.retries } = options;
    requireTime('timeout', timeout);
    const { method, path } = call;
    const headers = { ...lowerCase(options.headers), ...call.headers };
    const deadline = performance.now() + timeout;
    let mayBeDone = false;

    for (let attempt = 1; ; attempt += 1) {
      const about = { method, path, attempt };
      const start = performance.now();
      tell(retryPolicy, { type: 'request', ...about });
      try {
        const ms = Math.max(1, Math.min(retryPolicy.tryTimeout, deadline - start));
        return await exchange({ ...call, headers }, { ms, signal }, async (response) => {
          const body = await readBody<T>(response);
          const head = headOf(response);
          const { status, requestId } = head;
          tell(retryPolicy, { type: 'answer', ...about, status, requestId, ms: performance.now() - start });
          return { body, head };
        });
      } catch (error) {
        if (!(error instanceof PetStoreError)) throw error;
        // What only reads has nothing to be done.
        mayBeDone ||= error.mayBeDone && method !== 'GET';
        error.mayBeDone = mayBeDone;
        const { status, requestId } = error;
        tell(retryPolicy, {
          type: 'failure',
          ...about,
          status,
          requestId,
          ms: performance.now() - start,
          error,
        });
        const wait = waitBefore(attempt, error.retryAfter, retryPolicy.retryDelay);
        const isLate = performance.now() + wait >= deadline;
        if (attempt > retries || isLate || !isRepeatable(call, error)) throw error;
        tell(retryPolicy, { type: 'retry', ...about, attempt: attempt + 1, ms: wait, error });
        await sleep(wait, signal);
      }
    }
  };
}

function isRepeatable({ repeat }: RepeatableCall, error: PetStoreError): boolean {
  if (error.code === 'idempotency_key_in_use') return true;
  return isPassing(error) && (repeat === 'always' || !error.mayBeDone);
}

export function isPassing(error: PetStoreError): boolean {
  return error instanceof ConnectionError ? !error.isFinal : passing.has(error.status ?? 0);
}

/** At least what the service asks for, and a random while more, so that clients do not come back all at once. */
export function waitBefore(attempt: number, retryAfter: number | undefined, delay: number): number {
  const most = Math.min(maxDelay, delay * 2 ** (attempt - 1));
  return (retryAfter ?? 0) * 1000 + Math.random() * most;
}

/** Names of headers are the same in any case; two spellings of one would both be sent. */
export function lowerCase(headers: CallOptions['headers'] = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
