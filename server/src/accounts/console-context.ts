import type { Logger } from 'pino';
import type { AccountEvent, Actor } from '../audit-log/audit-log.ts';
import type { DeploymentName } from '../domain/deployment.ts';
import type { IsKey } from '../domain/key-format.ts';
import type { Admit } from '../http/guards/admission.ts';
import type { Services } from '../http/operations/operation.ts';
import type { Servers } from '../http/server/addresses.ts';
import type { Guard, Request, Response } from '../http/server/request.ts';
import type { KeyUse } from '../keys/key-use.ts';
import { type AttemptLimits, attemptLimiter } from './attempt-limiter.ts';
import { consoleCookies } from './console-cookies.ts';
import type { AccountSession, AnySession } from './find-sessions.ts';
import { createPasswords, type WrapHasher } from './passwords.ts';

export interface ConsoleOptions extends Services {
  readonly limits?: AttemptLimits | undefined;
  readonly wrapHasher?: WrapHasher | undefined;
  readonly deployment: DeploymentName;
  readonly isKey: IsKey;
  readonly secret: string;
  readonly keyUse: KeyUse;
  /** Guards of the rate limit of this deployment, if it has one. */
  readonly limitsFor: (subjectOf: (request: Request) => string) => readonly Guard[];
  readonly admit: Admit;
  readonly log: Logger;
  readonly servers: Servers;
  readonly eraseClosed: () => Promise<void>;
  readonly baseUrl?: string | undefined;
}

export type ConsoleContext = ReturnType<typeof createContext>;

export type AccountHandler = (request: Request, session: AccountSession) => Response | Promise<Response>;
export type SessionHandler = (request: Request, session: AnySession) => Response | Promise<Response>;

export function createContext(options: ConsoleOptions) {
  const { log, clock } = options;
  const logEvent = (event: AccountEvent | null): void => {
    if (!event) return;
    const { what, accountId, address, key } = event;
    log.info({ event: what, account: accountId, key: key?.id, lastFour: key?.lastFour, address }, 'account');
  };
  return {
    ...options,
    cookies: consoleCookies(options),
    limit: attemptLimiter(options),
    passwords: createPasswords(options, logEvent),
    logEvent,
    actorOf: ({ accountId }: AccountSession, request: Request): Actor => ({
      accountId,
      address: request.address,
      at: BigInt(clock()),
    }),
  };
}
