import { originOf } from './base-address.ts';
import { ConnectionError, errorOf, PetStoreError, TimeoutError } from './errors.ts';
import { parseJson, writeJson } from './json.ts';
import { lowerCase } from './lower-case.ts';
import { callAfter } from './time.ts';

/** A request to the API. */
export interface Call {
  readonly method: string;
  /** Path from the origin: `/v2/pets`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  /** Lowercase names. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface Origin {
  readonly baseUrl: string;
  readonly key: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly fetch: typeof fetch;
}

/** Sends a request once. Throws one of our errors or the caller's abort reason unless it succeeds. */
export type Exchange = <T>(
  call: Call,
  time: { readonly ms: number; readonly signal: AbortSignal | undefined },
  read: (response: Response) => Promise<T>,
) => Promise<T>;

/** Codes of errors before the first byte of a request is sent. */
const notSentCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'ConnectionRefused',
]);

/** Codes of an untrusted server, or one without TLS: retrying cannot help. */
const untrustedServerCodes = /CERT|^UNABLE_TO_|^ERR_SSL_WRONG_VERSION_NUMBER$/;

/** Codes of Node's own timeout of five minutes, which `tryTimeout` cannot extend. */
const runtimeTimeoutCodes = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

/** Whether a failed `fetch` has sent nothing. */
export function wasNeverSent(error: unknown): boolean {
  const { code } = reasonOf(error);
  return notSentCodes.has(code) || untrustedServerCodes.test(code);
}

/** Deno repeats a request of any method if a reused connection breaks: each request gets a new one. */
const freshConnection = 'Deno' in globalThis ? { connection: 'close' } : {};

/** Not in browsers, where it would need a preflight. */
const userAgent = 'window' in globalThis ? {} : { 'user-agent': 'petstore-client/1.0.0' };

export function createExchange({ baseUrl, key, headers, fetch }: Origin): Exchange {
  const defaultHeaders = { ...userAgent, ...lowerCase(headers) };
  const origin = originOf(baseUrl);
  if (origin === undefined)
    throw new TypeError(
      'baseUrl must be a URL such as http://127.0.0.1:8080/v1; it can also be set as PETSTORE_URL',
    );
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new TypeError('key must be an API key; it can also be set as PETSTORE_KEY');
  const hideKey = (text: string) => text.replaceAll(key, '<API_KEY>');

  return async (call, { ms, signal }, read) => {
    signal?.throwIfAborted();
    const body = writeJson(call.body);
    const timeout = new AbortController();
    const timer = callAfter(ms, () => timeout.abort());
    try {
      const response = await fetch(origin + call.path + queryText(call.query), {
        method: call.method,
        headers: {
          ...freshConnection,
          accept: 'application/json',
          ...defaultHeaders,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...call.headers,
          authorization: `Bearer ${key}`,
        },
        // Following a redirect would send the key to another server.
        redirect: 'manual',
        // Bun repeats a DELETE automatically otherwise.
        keepalive: false,
        signal: signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal,
        ...(body === undefined ? {} : { body }),
      });
      if (!response.ok) throw await errorFromResponse(response, hideKey);
      return await read(response);
    } catch (error) {
      if (error instanceof PetStoreError) throw error;
      signal?.throwIfAborted();
      if (timeout.signal.aborted) {
        throw new TimeoutError(`No response within ${Math.ceil(ms)} ms.`, {
          code: 'timed_out',
          mayBeDone: true,
        });
      }
      const { text, code } = reasonOf(error);
      const cause = causeWithoutKey(error, hideKey);
      if (runtimeTimeoutCodes.has(code)) {
        const message = hideKey(`The runtime's own timeout ended the request: ${text}.`);
        throw new TimeoutError(message, { code: 'timed_out', mayBeDone: true, isFinal: true, cause });
      }
      throw new ConnectionError(hideKey(`The connection failed: ${text}.`), {
        code: 'connection_failed',
        mayBeDone: !wasNeverSent(error),
        isFinal: untrustedServerCodes.test(code),
        cause,
      });
    } finally {
      clearTimeout(timer);
    }
  };
}

/** Reads the whole body. If that fails, the response was lost. */
export async function readBody<T>(response: Response): Promise<T> {
  const text = await response.text();
  if (response.status === 204) return undefined as T;
  try {
    return parseJson(text) as T;
  } catch {
    throw invalidResponse('The response is not JSON.', response);
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

/** The error of a response, which may come from a proxy and have another body. */
async function errorFromResponse(
  response: Response,
  hideKey: (text: string) => string,
): Promise<PetStoreError> {
  const { status, headers } = response;
  let { code, message } = { code: 'unknown', message: `The response has status ${status}.` };
  // Browsers hide the target and status of redirects.
  const target = headers.get('location') ?? (response.type === 'opaqueredirect' ? 'another address' : null);
  if (target !== null) message = `The response is a redirect to ${target}, which is not followed.`;
  const body = (await readBody(response).catch((error: unknown) => {
    if (!(error instanceof PetStoreError)) throw error;
  })) as { code?: unknown; message?: unknown } | null | undefined;
  if (typeof body?.code === 'string' && typeof body.message === 'string') ({ code, message } = body as never);
  return errorOf(hideKey(message), {
    code: hideKey(code),
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

/** The reason is in the cause of `fetch`'s error, in a different form in each runtime. */
function reasonOf(error: unknown): { text: string; code: string } {
  const { cause = error } = Object(error) as { cause?: unknown };
  const { code = '', message = '' } = Object(cause) as { code?: unknown; message?: unknown };
  return { text: String(message || code || 'unknown error').trim(), code: String(code) };
}

/** The runtime's error without the API key: some runtimes put requests into errors. Limited to five levels, as causes can be circular. */
function causeWithoutKey(error: unknown, hideKey: (text: string) => string, depth = 0): Error | undefined {
  if (!(error instanceof Error) || depth > 4) return undefined;
  const { name, message, stack = '', cause, code } = error as Error & { code?: unknown };
  const copy = new Error(hideKey(message), { cause: causeWithoutKey(cause, hideKey, depth + 1) });
  return Object.assign(copy, { name, stack: hideKey(stack), code });
}
