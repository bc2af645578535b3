import type { Database } from '../database/engine.ts';
import type { DeploymentName } from '../deployment.ts';
import type { Admit } from '../http/guards/admission.ts';
import type { Answer } from '../http/server/answer.ts';
import { clientAddress } from '../http/server/client-address.ts';
import type { Request } from '../http/server/request.ts';
import type { Servers } from '../http/server/servers.ts';
import type { KeyUse } from '../keys/key-use.ts';
import type { Quotas } from '../quotas.ts';
import type { RequestCounts } from '../stores/request-counts.ts';
import type { Writer } from '../writer/writer.ts';
import type { Accounts } from './accounts.ts';
import type { Tell } from './audit-log.ts';
import type { KeySession, Session, Visitor } from './session.ts';
import type { Cookies } from './session-cookie.ts';

export interface ConsoleOptions {
  readonly deployment: DeploymentName;
  readonly db: Database;
  readonly writer: Writer;
  readonly accounts: Accounts;
  readonly keyUse: KeyUse;
  readonly quotas: Quotas;
  readonly counts: RequestCounts | undefined;
  readonly admit: Admit;
  readonly tell: Tell;
  readonly servers: Servers;
  readonly now: () => number;
  readonly baseUrl?: string | undefined;
  readonly trustProxy?: boolean | undefined;
}

export interface ConsoleContext extends ConsoleOptions {
  readonly cookies: Cookies;
  readonly visitorOf: (request: Request) => Visitor;
}

/** A handler for someone who is signed in to an account. */
export type MemberHandler = (session: Session, request: Request) => Answer | Promise<Answer>;
/** A handler for them and for those who opened the console with a key. */
export type SessionHandler = (session: Session | KeySession, request: Request) => Answer | Promise<Answer>;

const LONGEST_AGENT = 200;

export function visitor(
  request: Request,
  { device }: Cookies,
  { trustProxy = false }: ConsoleOptions,
): Visitor {
  return {
    address: clientAddress(request, trustProxy),
    agent: String(request.headers['user-agent'] ?? '').slice(0, LONGEST_AGENT),
    mark: device.read(request),
  };
}
