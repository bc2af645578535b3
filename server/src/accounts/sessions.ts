import { hash as digest, randomBytes } from 'node:crypto';
import type { NewSession } from '../stores/save-session.ts';
import type { AccountKeysOptions } from './account-keys.ts';
import { endAllSessions, endOneSession, endSession } from './end-session.ts';
import { findKeySession, findSession, listSessions } from './find-session.ts';
import { renewSession } from './renew-session.ts';
import type { KeySession, Session, Visitor } from './session.ts';

const MINUTE_MS = 60n * 1000n;
const DAY_MS = 24n * 60n * MINUTE_MS;
export const SESSION_MS = 7n * DAY_MS;
/** However much it is used, a session ends this long after it was started. */
const LONGEST_MS = 30n * DAY_MS;
/** A session in use is prolonged once a day. */
const RENEWAL_MS = DAY_MS;
/** Its last use is written down this often at the most. */
const SEEN_MS = 5n * MINUTE_MS;

/** Finds and ends sessions. They are started by a password or by a key, in `accounts.ts`. */
export function openSessions({ db, writer, now, tell }: AccountKeysOptions) {
  return {
    async findSession(cookie: string, { address }: Visitor): Promise<Session | KeySession | undefined> {
      const token = hashToken(cookie);
      const at = BigInt(now());
      const [found] = await db.all(findSession, { token });
      const [opened] = found ? [] : await db.all(findKeySession, { token, at });
      const either = found ?? opened;
      if (!either) return undefined;
      const { createdAt, expiresAt, seenAt, ...session } = either;
      const end = createdAt + LONGEST_MS;
      if (expiresAt <= at || end <= at) return undefined;
      const renewed = expiresAt - at < SESSION_MS - RENEWAL_MS && expiresAt < end;
      if (renewed || at - seenAt >= SEEN_MS) {
        const prolonged = BigInt(Math.min(Number(at + SESSION_MS), Number(end)));
        await writer.apply(renewSession, {
          token,
          expiresAt: renewed ? prolonged : expiresAt,
          at,
          address,
        });
      }
      return { ...session, renewed };
    },

    listSessions: ({ accountId }: Session) => db.all(listSessions, { accountId, at: BigInt(now()) }),

    async endSession({ accountId }: Session, sessionId: string, address: string): Promise<void> {
      const at = BigInt(now());
      await writer.apply(endOneSession, { accountId, sessionId, address, at });
      tell({ what: 'session_ended', accountId, address, at });
    },

    async signOut(cookie: string, { address }: Visitor): Promise<void> {
      const at = BigInt(now());
      const { accountId } = await writer.apply(endSession, { token: hashToken(cookie), address, at });
      if (accountId !== null) tell({ what: 'signed_out', accountId, address, at });
    },

    async signOutEverywhere({ accountId }: Session, address: string): Promise<void> {
      const at = BigInt(now());
      await writer.apply(endAllSessions, { accountId, address, at });
      tell({ what: 'signed_out_everywhere', accountId, address, at });
    },
  };
}

/** The database keeps only this hash of what a browser holds. */
export function hashToken(token: string): string {
  return digest('sha256', token);
}

/** A session for a browser, in place of the one that it came with. The token is for the browser alone. */
export function newSession({ address, agent }: Visitor, cookie: string | undefined, at: bigint) {
  const token = newToken();
  const replaces = cookie === undefined ? null : hashToken(cookie);
  const times = { at, expiresAt: at + SESSION_MS };
  const session: NewSession = { id: randomId(), token: hashToken(token), replaces, ...times, address, agent };
  return { token, session };
}

export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

export function randomId(): string {
  return randomBytes(16).toString('base64url');
}
