import { noteAnswer, noteSilence } from './connection.ts';
import { parseJson } from './json.ts';

/** An answer of the service that is not a success. */
export class Problem extends Error {
  override name = 'Problem';
  readonly code: string;
  readonly status: number;
  readonly requestId: string | null;
  /** Seconds to wait, where the service says so. */
  readonly retryAfter: number | undefined;
  constructor(response: Response, body: { code: string; message: string }) {
    super(body.message);
    this.code = body.code;
    this.status = response.status;
    this.requestId = response.headers.get('x-request-id');
    this.retryAfter = Number(response.headers.get('retry-after')) || undefined;
  }
}

/** The service did not answer at all. */
export class Unreachable extends Error {
  override name = 'Unreachable';
}

const TIMEOUT_MS = 15_000;

/**
 * Sends a request whose answer is a success or 304; anything else is thrown. It must arrive in time, unless the caller
 * sees to that with a `patience` of null: of a stream, whose body never ends.
 */
export async function send(
  path: string,
  { patience = TIMEOUT_MS, ...init }: RequestInit & { readonly patience?: number | null } = {},
): Promise<Response> {
  const limits = patience === null ? [] : [AbortSignal.timeout(patience)];
  const signal = AbortSignal.any(init.signal ? [init.signal, ...limits] : limits);
  let response: Response;
  try {
    response = await fetch(path, { ...init, signal });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    noteSilence();
    throw new Unreachable('The service did not answer.');
  }
  noteAnswer();
  if (response.ok || response.status === 304) return response;
  throw new Problem(response, await errorBody(response));
}

export async function readJson<T>(response: Response): Promise<T> {
  return parseJson<T>(await response.text());
}

/** Reads an Error, or makes one: a proxy in between may answer in its own words. */
async function errorBody(response: Response): Promise<{ code: string; message: string }> {
  try {
    const body = await readJson<{ code?: unknown; message?: unknown }>(response);
    if (typeof body.code === 'string' && typeof body.message === 'string') {
      return { code: body.code, message: body.message };
    }
  } catch {
    // A body that is not JSON is described by its status below.
  }
  return { code: 'unknown', message: `The service answered with status ${response.status}.` };
}
