import { refusedAs } from '../http/errors.ts';
import { clientAddress } from '../http/server/client-address.ts';
import type { Answer, Request } from '../http/server/request.ts';
import type { KeyDetails } from '../keys/create-key.ts';
import type { AccountEvent, Origin } from '../stores/account-events.ts';
import { attemptLimiter } from './attempt-limiter.ts';
import { openAccountStore } from './change-account.ts';
import { consoleCookies } from './console-cookies.ts';
import type { ConsoleOptions } from './console-options.ts';
import type { AccountSession, AnySession } from './find-session.ts';
import { openPasswords } from './passwords.ts';
import type { Visitor } from './sessions.ts';

export type ConsoleContext = ReturnType<typeof openContext>;

export type MemberHandler = (request: Request, session: AccountSession) => Answer | Promise<Answer>;
export type SessionHandler = (request: Request, session: AnySession) => Answer | Promise<Answer>;

const LONGEST_AGENT = 200;

export function openContext(options: ConsoleOptions) {
  const { writer, log, now, trustProxy = false } = options;
  const tell = (event: AccountEvent | null): void => {
    if (!event) return;
    const { what, accountId, address, key } = event;
    log.info({ event: what, account: accountId, key: key?.id, lastFour: key?.lastFour, address }, 'account');
  };
  const openStore = (by: Origin, firstKey: KeyDetails | null) =>
    writer.apply(openAccountStore, { ...by, firstKey }).catch(refusedAs('not_signed_in'));
  const visitorOf = (request: Request): Visitor => ({
    address: clientAddress(request, trustProxy),
    agent: String(request.headers['user-agent'] ?? '').slice(0, LONGEST_AGENT),
  });
  return {
    ...options,
    cookies: consoleCookies(options),
    limit: attemptLimiter(options),
    passwords: openPasswords(options, tell),
    tell,
    visitorOf,
    madeBy: ({ accountId }: AccountSession, request: Request): Origin => ({
      accountId,
      address: visitorOf(request).address,
      at: BigInt(now()),
    }),
    openStore,
    storeOf: async ({ accountId, storeId }: AccountSession) =>
      storeId ?? (await openStore({ accountId, address: '', at: BigInt(now()) }, null)).storeId,
  };
}
