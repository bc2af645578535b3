import type { Logger } from 'pino';
import type { AccountEvent } from '../stores/account-events.ts';

type ToldEvent = Omit<AccountEvent, 'what'> & {
  readonly what: AccountEvent['what'] | 'account_deleted';
};

export type Tell = (event: ToldEvent) => void;

export function auditLog(log: Logger): Tell {
  return ({ what, accountId, address, key }) =>
    log.info({ event: what, account: accountId, key: key?.id, lastFour: key?.lastFour, address }, 'account');
}
