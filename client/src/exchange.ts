import { originOf } from './base-address.ts';
import { ConnectionError, errorOf, PetStoreError, TimeoutError } from './errors.ts';
import { parseJson, writeJson } from './json.ts';
import { after } from './time.ts';

/** One request of the interface. */
export interface Call {
  readonly method: string;
  /** From the origin on: `/v2/pets`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  /** By names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface Origin {
  readonly baseUrl: string;
  readonly key: string;
  readonly fetch: typeof fetch;
}

/** Sends a request once. Whatever is not a success is thrown, as one of our errors or as the caller's abort. */
export type Exchange = <T>(
  call: Call,
  time: { readonly ms: number; readonly signal: AbortSignal | undefined },
  read: (response: Response) => Promise<T>,
) => Promise<T>;

/** Codes of failures that come before the first byte of a request is sent. */
const codesBeforeSending = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'ConnectionRefused',
]);

/** Codes of a server that is not trusted, or speaks no TLS: the request is not sent to it, however often it is tried. */
const codesOfDistrust = /CERT|^UNABLE_TO_|^ERR_SSL_WRONG_VERSION_NUMBER$/;

/** Codes of Node, which waits for five minutes at the most, whatever `tryTimeout` says. */
const codesOfGivingUp = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

/** Whether a `fetch` that failed has sent nothing. */
export function wasNeverSent(error: unknown): boolean {
  const { code } = reasonOf(error);
  return codesBeforeSending.has(code) || codesOfDistrust.test(code);
}

/** Deno repeats a request of any method when a connection that it used before breaks; this makes each its own. */
const freshConnection = 'Deno' in globalThis ? { connection: 'close' } : {};

export function createExchange({ baseUrl, key, fetch }: Origin): Exchange {
  const origin = originOf(baseUrl);
  if (origin === undefined) throw new TypeError('baseUrl is no address such as http://127.0.0.1:8080/v1');
  if (!/^[\x21-\x7e]+$/.test(key)) throw new TypeError('key is no API key');
  const hide = (text: string) => text.replaceAll(key, '<API_KEY>');

  return async (call, { ms, signal }, read) => {
    signal?.throwIfAborted();
    const body = writeJson(call.body);
    const timeout = new AbortController();
    const timer = after(ms, () => timeout.abort());
    try {
      const response = await fetch(origin + call.path + queryText(call.query), {
        method: call.method,
        headers: {
          ...freshConnection,
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...call.headers,
          authorization: `Bearer ${key}`,
        },
        // Followed, a redirect would carry the key to where nobody meant to send it.
        redirect: 'manual',
        // Bun repeats a DELETE by itself, unless it is told so.
        keepalive: false,
        signal: signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal,
        ...(body === undefined ? {} : { body }),
      });
      if (!response.ok) throw await refusal(response, hide);
      return await read(response);
    } catch (error) {
      if (error instanceof PetStoreError) throw error;
      signal?.throwIfAborted();
      if (timeout.signal.aborted) {
        throw new TimeoutError(`No answer within ${Math.ceil(ms)} ms.`, {
          code: 'timed_out',
          mayBeDone: true,
        });
      }
      const { text, code } = reasonOf(error);
      const cause = causeWithoutKey(error, hide);
      if (codesOfGivingUp.has(code)) {
        const told = hide(`The runtime waits no longer: ${text}.`);
        throw new TimeoutError(told, { code: 'timed_out', mayBeDone: true, isFinal: true, cause });
      }
      throw new ConnectionError(hide(`The connection failed: ${text}.`), {
        code: 'connection_failed',
        mayBeDone: !wasNeverSent(error),
        isFinal: codesOfDistrust.test(code),
        cause,
      });
    } finally {
      clearTimeout(timer);
    }
  };
}

/** Reads a body whole. One that cannot be read is an answer that was lost. */
export async function readBody<T>(response: Response): Promise<T> {
  const text = await response.text();
  if (response.status === 204) return undefined as T;
  try {
    return parseJson(text) as T;
  } catch {
    throw invalidResponse('The answer is not JSON.', response);
  }
}

export function invalidResponse(message: string, response: Response): ConnectionError {
  const { status } = response;
  const requestId = requestIdOf(response);
  return new ConnectionError(message, { code: 'invalid_answer', status, requestId, mayBeDone: true });
}

const requestIdOf = ({ headers }: Response): string | undefined => headers.get('x-request-id') ?? undefined;

function queryText(query: Call['query'] = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return given.length ? `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}` : '';
}

/** The Error of an answer; something in between may have answered in its own words. */
async function refusal(response: Response, hide: (text: string) => string): Promise<PetStoreError> {
  const { status, headers } = response;
  let { code, message } = { code: 'unknown', message: `The answer has status ${status}.` };
  // A browser hides where a redirect leads to, and its status.
  const target = headers.get('location') ?? (response.type === 'opaqueredirect' ? 'another address' : null);
  if (target !== null) message = `The answer is a redirect to ${target}, which is not followed.`;
  const body = (await readBody(response).catch((error: unknown) => {
    if (!(error instanceof PetStoreError)) throw error;
  })) as { code?: unknown; message?: unknown } | null | undefined;
  if (typeof body?.code === 'string' && typeof body.message === 'string') ({ code, message } = body as never);
  return errorOf(hide(message), {
    code: hide(code),
    status,
    requestId: requestIdOf(response),
    retryAfter: secondsOf(headers.get('retry-after')),
    mayBeDone: status >= 500,
  });
}

/** `Retry-After` is a number of seconds or a date. */
function secondsOf(text: string | null): number | undefined {
  if (text === null) return undefined;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

/** `fetch` says why it failed in the cause, each runtime in its own way. */
function reasonOf(error: unknown): { text: string; code: string } {
  const { cause = error } = Object(error) as { cause?: unknown };
  const { code = '', message = '' } = Object(cause) as { code?: unknown; message?: unknown };
  return { text: String(message || code || 'no reason is given').trim(), code: String(code) };
}

/** What a runtime threw, and why, as far as it can be told without the API key: a `fetch` may put requests into errors. */
function causeWithoutKey(error: unknown, hide: (text: string) => string, depth = 0): Error | undefined {
  if (!(error instanceof Error) || depth > 4) return undefined;
  const { name, message, stack = '', cause, code } = error as Error & { code?: unknown };
  const copy = new Error(hide(message), { cause: causeWithoutKey(cause, hide, depth + 1) });
  return Object.assign(copy, { name, stack: hide(stack), code });
}
