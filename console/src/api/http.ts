import { ConnectionError, PetStoreError, parseJson } from '../../../client/src/index.ts';
import { markReachable, markUnreachable } from './connection.ts';

const TIMEOUT_MS = 15_000;

/** Whether the service rejected the request: a retry would get the same response. */
export const isApiError = (error: unknown): error is PetStoreError =>
  error instanceof PetStoreError && error.status !== undefined && error.status < 500;

const noResponseError = () =>
  new ConnectionError('The service did not respond.', { code: 'connection_failed', mayBeDone: true });

/** Sends a request and returns a successful response; throws the client's errors otherwise. */
export async function send(path: string, init: RequestInit = {}): Promise<Response> {
  const limit = AbortSignal.timeout(TIMEOUT_MS);
  const signal = init.signal ? AbortSignal.any([init.signal, limit]) : limit;
  let response: Response;
  try {
    response = await fetch(path, { ...init, signal });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    markUnreachable();
    throw noResponseError();
  }
  markReachable();
  if (response.ok) return response;
  const { code, message } = await errorBody(response);
  throw new PetStoreError(message, {
    code,
    status: response.status,
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfter: Number(response.headers.get('retry-after')) || undefined,
    mayBeDone: response.status >= 500,
  });
}

export async function readJson<T>(response: Response): Promise<T> {
  const text = await response.text().catch(() => {
    throw noResponseError();
  });
  return parseJson(text) as T;
}

/** Reads the error body, or creates one: a proxy may respond in another format. */
async function errorBody(response: Response): Promise<{ code: string; message: string }> {
  try {
    const body = await readJson<{ code?: unknown; message?: unknown }>(response);
    if (typeof body.code === 'string' && typeof body.message === 'string') {
      return { code: body.code, message: body.message };
    }
  } catch {
    // A body that is not JSON is described by its status below.
  }
  return { code: 'unknown', message: `The service responded with status ${response.status}.` };
}
