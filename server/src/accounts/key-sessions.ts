import { ApiError, refusedAs } from '../http/errors.ts';
import { findCaller } from '../keys/find-caller.ts';
import { startKeySession } from '../keys/start-key-session.ts';
import type { AccountKeysOptions } from './account-keys.ts';
import type { Visitor } from './session.ts';
import { hashToken, newToken, randomId, SESSION_MS } from './sessions.ts';

export interface KeySessionsOptions extends AccountKeysOptions {
  readonly limit: { openWithKey(address: string): Promise<unknown> };
}

/** Sessions that are opened with a key: they may do what the key may do, in its store, and nothing to an account. */
export function openKeySessions({ db, writer, deployment, now, limit }: KeySessionsOptions) {
  return {
    async openWithKey(key: string, { address, agent }: Visitor, cookie: string | undefined): Promise<string> {
      await limit.openWithKey(address);
      const at = BigInt(now());
      const caller = await findCaller(db, deployment, key, at);
      // The key of a session opens no other: that would outlive it.
      if (!caller || caller.sessionId != null) throw new ApiError('invalid_api_key');
      const token = newToken();
      await writer
        .apply(startKeySession, {
          id: randomId(),
          keyId: caller.keyId,
          token: hashToken(token),
          replaces: cookie === undefined ? null : hashToken(cookie),
          at,
          expiresAt: at + SESSION_MS,
          address,
          agent,
        })
        .catch(refusedAs('invalid_api_key'));
      return token;
    },
  };
}
