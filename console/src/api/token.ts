import { account } from './console-api.ts';
import { Problem, send } from './http.ts';

/** The short-lived key with which the console calls the API. It lives in this variable and nowhere else. */
let token: Promise<string> | undefined;
let renewAt = Number.POSITIVE_INFINITY;

const EARLY_MS = 60_000;

/** Everyone who asks at the same time gets the same key. */
function currentKey(): Promise<string> {
  if (Date.now() >= renewAt) forgetKey();
  token ??= mint();
  return token;
}

async function mint(): Promise<string> {
  try {
    const { key, expiresAt } = await account.token();
    // A wrong clock must not make a new key for every request.
    renewAt = Math.max(Date.parse(expiresAt) - EARLY_MS, Date.now() + EARLY_MS);
    return key;
  } catch (error) {
    forgetKey();
    throw error;
  }
}

export function forgetKey(): void {
  token = undefined;
  renewAt = Number.POSITIVE_INFINITY;
}

/** Sends a request to the public API. A key that is refused is replaced once. */
export async function sendWithKey(path: string, init: RequestInit = {}, isStream = false): Promise<Response> {
  const used = currentKey();
  try {
    return await sendWith(await used, path, init, isStream);
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'invalid_api_key')) throw error;
    // The first of several refused requests replaces the key for all of them.
    if (used === token) forgetKey();
    return sendWith(await currentKey(), path, init, isStream);
  }
}

function sendWith(key: string, path: string, init: RequestInit, isStream: boolean): Promise<Response> {
  const headers = { ...init.headers, authorization: `Bearer ${key}` };
  return send(path, { ...init, headers }, isStream);
}
