import { ConnectionError, PetStoreError } from './errors.ts';
import { type Call, type Exchange, readBody } from './exchange.ts';
import { lowerCase } from './lower-case.ts';
import { type ApiResponse, headOf } from './result.ts';
import { requireTime, sleep } from './time.ts';

export interface CallOptions {
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for the call, retries included. */
  readonly timeout?: number | undefined;
  /** Milliseconds for one attempt. */
  readonly tryTimeout?: number | undefined;
  /** Maximum number of retries. */
  readonly retries?: number | undefined;
  /** Additional headers, such as `if-none-match` or `prefer`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Passed to the `log` of a client. Never contains the API key. */
export interface LogEntry {
  readonly type: 'request' | 'answer' | 'failure' | 'retry';
  readonly method: string;
  readonly path: string;
  /** 1 for the first attempt. */
  readonly attempt: number;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  /** Milliseconds that the attempt took; for a `retry`, the delay before it. */
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

/** A call that is retried if that is safe. */
interface RetryableCall extends Call {
  /** `always`: idempotent. `ifNotSent`: only if the request was certainly not sent. */
  readonly retry: 'always' | 'ifNotSent';
}

export type Send = <T>(call: RetryableCall, options?: CallOptions) => Promise<ApiResponse<T>>;

const maxDelay = 5_000;

/** Statuses after which a retry may succeed. */
const transientStatuses = new Set([408, 429, 500, 502, 503, 504]);

export function writeLog({ log }: RetryPolicy, entry: LogEntry): void {
  try {
    log?.(entry);
  } catch {
    // Errors of the log must not fail the call.
  }
}

export function createSend(exchange: Exchange, retryPolicy: RetryPolicy): Send {
  return async <T>(call: RetryableCall, options: CallOptions = {}): Promise<ApiResponse<T>> => {
    const { signal, timeout = retryPolicy.timeout, retries = retryPolicy.retries } = options;
    const { tryTimeout = retryPolicy.tryTimeout } = options;
    requireTime('timeout', timeout);
    requireTime('tryTimeout', tryTimeout);
    const { method, path } = call;
    const headers = { ...lowerCase(options.headers), ...call.headers };
    const deadline = performance.now() + timeout;
    let mayBeDone = false;

    for (let attempt = 1; ; attempt += 1) {
      const attemptInfo = { method, path, attempt };
      const start = performance.now();
      writeLog(retryPolicy, { type: 'request', ...attemptInfo });
      try {
        const ms = Math.max(1, Math.min(tryTimeout, deadline - start));
        return await exchange({ ...call, headers }, { ms, signal }, async (response) => {
          const body = await readBody<T>(response);
          const head = headOf(response);
          const { status, requestId } = head;
          writeLog(retryPolicy, {
            type: 'answer',
            ...attemptInfo,
            status,
            requestId,
            ms: performance.now() - start,
          });
          return { body, head };
        });
      } catch (error) {
        if (!(error instanceof PetStoreError)) throw error;
        // A read has no effect that could be unknown.
        mayBeDone ||= error.mayBeDone && method !== 'GET';
        error.mayBeDone = mayBeDone;
        const { status, requestId } = error;
        writeLog(retryPolicy, {
          type: 'failure',
          ...attemptInfo,
          status,
          requestId,
          ms: performance.now() - start,
          error,
        });
        const wait = retryDelayOf(attempt, error.retryAfter, retryPolicy.retryDelay);
        const isLate = performance.now() + wait >= deadline;
        if (attempt > retries || isLate || !isRetryable(call, error)) throw error;
        writeLog(retryPolicy, { type: 'retry', ...attemptInfo, attempt: attempt + 1, ms: wait, error });
        await sleep(wait, signal);
      }
    }
  };
}

function isRetryable({ retry }: RetryableCall, error: PetStoreError): boolean {
  if (error.code === 'idempotency_key_in_use') return true;
  return isTransient(error) && (retry === 'always' || !error.mayBeDone);
}

export function isTransient(error: PetStoreError): boolean {
  return error instanceof ConnectionError ? !error.isFinal : transientStatuses.has(error.status ?? 0);
}

/** At least `Retry-After`, plus jitter, so that clients do not retry all at once. */
export function retryDelayOf(attempt: number, retryAfter: number | undefined, delay: number): number {
  const maxJitter = Math.min(maxDelay, delay * 2 ** (attempt - 1));
  return (retryAfter ?? 0) * 1000 + Math.random() * maxJitter;
}
