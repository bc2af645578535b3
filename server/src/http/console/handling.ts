import type { FastifyRequest } from 'fastify';
import type { KeyUse } from '../../background/key-use.ts';
import type { Database } from '../../database/engine.ts';
import type { DeploymentName } from '../../deployment.ts';
import type { Quotas } from '../../quotas.ts';
import type { Writer } from '../../writer/writer.ts';
import { ApiError } from '../errors.ts';
import type { Servers } from '../openapi/contract.ts';
import type { Answer, Handler } from '../server/answer.ts';
import { AccountError } from './account-error.ts';
import type { Accounts } from './accounts.ts';
import { TooManyAttempts } from './attempt-limiter.ts';
import type { Session } from './session.ts';
import type { SessionCookie } from './session-cookie.ts';

export interface ConsoleOptions {
  readonly deployment: DeploymentName;
  readonly db: Database;
  readonly writer: Writer;
  readonly accounts: Accounts;
  readonly keyUse: KeyUse;
  readonly quotas: Quotas;
  readonly servers: Servers;
  readonly now: () => number;
  /** Our public address, where it is not the one we listen on. */
  readonly baseUrl?: string | undefined;
  readonly trustProxy?: boolean | undefined;
}

export interface ConsoleContext extends ConsoleOptions {
  readonly cookie: SessionCookie;
}

/** A handler for someone who is signed in. */
export function signedIn(
  { accounts, cookie }: ConsoleContext,
  handle: (session: Session, request: FastifyRequest) => Promise<Answer>,
): Handler {
  return async (request) => {
    const token = cookie.read(request);
    const session = token === undefined ? undefined : await accounts.findSession(token);
    if (token === undefined || !session) throw new ApiError('not_signed_in');
    if (session.renewed) cookie.write(request, token);
    return handle(session, request);
  };
}

/** What an error of the accounts means to a client. */
export function asApiError(error: unknown, now: number): unknown {
  if (error instanceof AccountError) return new ApiError(error.code);
  if (!(error instanceof TooManyAttempts)) return error;
  const seconds = Math.max(1, Math.ceil((error.until - now) / 1000));
  return new ApiError('rate_limited', 'There were too many attempts; see Retry-After.', [
    'retry-after',
    String(seconds),
  ]);
}
