import { refusedAs } from '../http/errors.ts';
import type { Answer } from '../http/server/answer.ts';
import { clientAddress } from '../http/server/client-address.ts';
import type { Request } from '../http/server/request.ts';
import type { KeyDetails } from '../keys/create-key.ts';
import { attemptLimiter } from './attempt-limiter.ts';
import { consoleCookies } from './console-cookies.ts';
import type { ConsoleOptions } from './console-options.ts';
import { openAccountStore } from './open-account-store.ts';
import { openPasswords } from './passwords.ts';
import type { KeySession, Session, Visitor } from './sessions.ts';

export type ConsoleContext = ReturnType<typeof openContext>;

/** A handler for someone who is signed in to an account. */
export type MemberHandler = (session: Session, request: Request) => Answer | Promise<Answer>;
/** A handler for them and for those who opened the console with a key. */
export type SessionHandler = (session: Session | KeySession, request: Request) => Answer | Promise<Answer>;

const LONGEST_AGENT = 200;

export function openContext(options: ConsoleOptions) {
  const { writer, now, trustProxy = false } = options;
  const openStore = ({ accountId }: Session, firstKey: KeyDetails | null, address: string, at: bigint) =>
    writer.apply(openAccountStore, { accountId, firstKey, at, address }).catch(refusedAs('not_signed_in'));
  const visitorOf = (request: Request): Visitor => ({
    address: clientAddress(request, trustProxy),
    agent: String(request.headers['user-agent'] ?? '').slice(0, LONGEST_AGENT),
  });
  return {
    ...options,
    cookies: consoleCookies(options),
    limit: attemptLimiter(options),
    passwords: openPasswords(options),
    visitorOf,
    madeBy: ({ accountId }: Session, request: Request) => ({
      accountId,
      address: visitorOf(request).address,
      at: BigInt(now()),
    }),
    openStore,
    storeOf: async (session: Session) =>
      session.storeId ?? (await openStore(session, null, '', BigInt(now()))).storeId,
  };
}
