import { account } from './console-api.ts';

/** The session's short-lived API key. Kept in memory only. */
let token: Promise<string> | undefined;
let renewAt = Number.POSITIVE_INFINITY;

const RENEW_MARGIN_MS = 60_000;

/** Concurrent callers share one key. */
export function currentKey(): Promise<string> {
  if (Date.now() >= renewAt) forgetKey();
  token ??= mint();
  return token;
}

async function mint(): Promise<string> {
  try {
    const { key, expiresAt } = await account.token();
    // A wrong clock must not create a new key for every request.
    renewAt = Math.max(Date.parse(expiresAt) - RENEW_MARGIN_MS, Date.now() + RENEW_MARGIN_MS);
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

/** Discards a rejected key, unless another request already replaced it. */
export function discardRejectedKey(used: Promise<string>): void {
  if (used === token) forgetKey();
}
