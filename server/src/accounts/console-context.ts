import type { Database } from '../database/engine.ts';
import type { DeploymentName } from '../deployment.ts';
import { refusedAs } from '../http/errors.ts';
import type { Admit } from '../http/guards/admission.ts';
import type { Servers } from '../http/server/address-used.ts';
import type { Answer } from '../http/server/answer.ts';
import { clientAddress } from '../http/server/client-address.ts';
import type { Request } from '../http/server/request.ts';
import type { IsKey } from '../key-format.ts';
import type { KeyDetails } from '../keys/create-key.ts';
import type { KeyUse } from '../keys/key-use.ts';
import type { Quotas } from '../quotas.ts';
import type { RequestCounts } from '../stores/request-counts.ts';
import type { Writer } from '../writer/writer.ts';
import { type AttemptLimits, attemptLimiter, defaultLimits } from './attempt-limiter.ts';
import type { Tell } from './audit-log.ts';
import { consoleCookies } from './console-cookies.ts';
import { openAccountStore } from './open-account-store.ts';
import type { PasswordHasher } from './password-hasher.ts';
import { openPasswords } from './passwords.ts';
import type { KeySession, Session, Visitor } from './sessions.ts';

export interface AccountOptions {
  readonly limits?: AttemptLimits | undefined;
  readonly wrapHasher?: ((hasher: PasswordHasher) => PasswordHasher) | undefined;
}

export interface ConsoleOptions extends AccountOptions {
  readonly deployment: DeploymentName;
  readonly db: Database;
  readonly writer: Writer;
  readonly isKey: IsKey;
  readonly secret: string;
  readonly keyUse: KeyUse;
  readonly quotas: Quotas;
  readonly counts: RequestCounts | undefined;
  readonly admit: Admit;
  readonly tell: Tell;
  readonly servers: Servers;
  readonly eraseClosed: () => Promise<void>;
  readonly now: () => number;
  readonly baseUrl?: string | undefined;
  readonly trustProxy?: boolean | undefined;
}

export type ConsoleContext = ReturnType<typeof openContext>;

/** A handler for someone who is signed in to an account. */
export type MemberHandler = (session: Session, request: Request) => Answer | Promise<Answer>;
/** A handler for them and for those who opened the console with a key. */
export type SessionHandler = (session: Session | KeySession, request: Request) => Answer | Promise<Answer>;

const LONGEST_AGENT = 200;

export function openContext(options: ConsoleOptions) {
  const { writer, secret, quotas, now, limits = defaultLimits, trustProxy = false } = options;
  const openStore = ({ accountId }: Session, firstKey: KeyDetails | null, address: string, at: bigint) =>
    writer.apply(openAccountStore, { accountId, firstKey, at, address }).catch(refusedAs('not_signed_in'));
  const visitorOf = (request: Request): Visitor => ({
    address: clientAddress(request, trustProxy),
    agent: String(request.headers['user-agent'] ?? '').slice(0, LONGEST_AGENT),
  });
  return {
    ...options,
    cookies: consoleCookies(options),
    limit: attemptLimiter({ writer, secret, limits, newStores: quotas.newStores, now }),
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
