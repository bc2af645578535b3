import { account } from './account.ts';
import { Problem, send } from './http.ts';

/** The short-lived key with which the console calls the API. It lives in this variable and nowhere else. */
let token: Promise<{ key: string; expiresAt: string }> | undefined;

const RENEW_BEFORE_MS = 60_000;

async function currentKey(): Promise<string> {
  const held = await token?.catch(() => undefined);
  if (!held || Date.parse(held.expiresAt) - Date.now() < RENEW_BEFORE_MS) token = undefined;
  token ??= account.token();
  try {
    return (await token).key;
  } catch (error) {
    token = undefined;
    throw error;
  }
}

export function forgetKey(): void {
  token = undefined;
}

/** A request to the public API. A key that was refused is replaced once. */
export async function sendWithKey(path: string, init: RequestInit = {}): Promise<Response> {
  const attempt = async () =>
    send(path, { ...init, headers: { ...init.headers, authorization: `Bearer ${await currentKey()}` } });
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof Problem && error.status === 401 && error.code === 'invalid_api_key')) throw error;
    forgetKey();
    return attempt();
  }
}
