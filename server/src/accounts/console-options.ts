import type { Logger } from 'pino';
import type { Database } from '../database/engine.ts';
import type { DeploymentName } from '../deployment.ts';
import type { Admit } from '../http/guards/admission.ts';
import type { Servers } from '../http/server/address-used.ts';
import type { IsKey } from '../key-format.ts';
import type { KeyUse } from '../keys/key-use.ts';
import type { Quotas } from '../quotas.ts';
import type { RequestCounts } from '../stores/request-counts.ts';
import type { Writer } from '../writer/writer.ts';
import type { PasswordHasher } from './password-hasher.ts';

/** All but `perAddress` count tries of one password; a right one ends the count of its visitor or device. */
export interface AttemptLimits {
  readonly perAddress: number;
  readonly perAccount: number;
  /** By strangers, for one account, from one network address; `perAccount` unless given. */
  readonly perVisitor?: number;
  /** From a browser that signed in to the account before, or from an open session; `perAccount` unless given. */
  readonly perDevice?: number;
}

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
  readonly log: Logger;
  readonly servers: Servers;
  readonly eraseClosed: () => Promise<void>;
  readonly now: () => number;
  readonly baseUrl?: string | undefined;
  readonly trustProxy?: boolean | undefined;
}
