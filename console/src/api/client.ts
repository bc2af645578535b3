import { type ClientOptions, createClient, TimeoutError } from '../../../client/src/index.ts';
import { basePath } from '../base-path.ts';
import { markReachable, markUnreachable } from './connection.ts';
import { currentKey, discardRejectedKey } from './token.ts';

/** Sends with the session's key. A 401 means that nothing was done, so it retries once with a new key. */
export const fetchWithKey: typeof fetch = async (address, init) => {
  const used = currentKey();
  const response = await trackedFetch(address, withKey(init, await used));
  if (response.status !== 401) return response;
  discardRejectedKey(used);
  return trackedFetch(address, withKey(init, await currentKey()));
};

function withKey(init: RequestInit | undefined, key: string): RequestInit {
  return { ...init, headers: { ...(init?.headers as object), authorization: `Bearer ${key}` } };
}

async function trackedFetch(address: Parameters<typeof fetch>[0], init: RequestInit): Promise<Response> {
  try {
    const response = await fetch(address, init);
    markReachable();
    return response;
  } catch (error) {
    if (!init.signal?.aborted) markUnreachable();
    throw error;
  }
}

export const clientOptions = {
  baseUrl: location.origin + basePath,
  // A placeholder: `fetchWithKey` sets the real key.
  key: 'session',
  fetch: fetchWithKey,
  log: ({ error }) => {
    if (error instanceof TimeoutError) markUnreachable();
  },
} satisfies ClientOptions;

/** For interactive calls: no automatic retries, because the user decides whether to try again. */
export const client = createClient({ ...clientOptions, retries: 0, timeout: 15_000, tryTimeout: 15_000 });

/** For slow calls, with long timeouts and retries. */
export const slowClient = createClient({ ...clientOptions, timeout: 600_000, tryTimeout: 600_000 });
