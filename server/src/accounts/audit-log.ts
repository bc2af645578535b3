import type { Logger } from 'pino';
import type { AccountEvent } from '../stores/account-events.ts';

export type Tell = (event: AccountEvent) => void;

export function auditLog(log: Logger): Tell {
  return ({ what, accountId, address, key }) =>
    log.info({ event: what, account: accountId, key: key?.id, lastFour: key?.lastFour, address }, 'account');
}
