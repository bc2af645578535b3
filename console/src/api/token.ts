import { account } from './console-api.ts';

/** The short-lived key with which the console calls the API. It lives in this variable and nowhere else. */
let token: Promise<string> | undefined;
let renewAt = Number.POSITIVE_INFINITY;

const EARLY_MS = 60_000;

/** Everyone who asks at the same time gets the same key. */
export function currentKey(): Promise<string> {
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

/** Has a key replaced that was refused: the first of several refused requests does so for all of them. */
export function refuseKey(used: Promise<string>): void {
  if (used === token) forgetKey();
}
