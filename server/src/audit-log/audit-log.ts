import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { type Connection, query } from '../database/query.ts';
import { deleteBatch, findRows, insertRow } from '../database/rows.ts';
import { verb } from '../writer/verb.ts';

export type EventName =
  | 'signed_up'
  | 'sign_up_repeated'
  | 'signed_in'
  | 'sign_in_failed'
  | 'signed_out'
  | 'signed_out_everywhere'
  | 'session_ended'
  | 'password_changed'
  | 'password_reset'
  | 'password_refused'
  | 'key_created'
  | 'key_rolled'
  | 'key_revoked'
  | 'opened_with_key'
  | 'account_deleted';

export interface Actor {
  readonly accountId: string;
  readonly address: string;
  readonly at: bigint;
}

export interface AccountEvent extends Actor {
  readonly what: EventName;
  readonly key?: { readonly id: string; readonly lastFour: string };
}

export const MAX_EVENTS = 1_000;

/** Returns the event, which the caller logs once the change is committed. */
export async function saveEvent(connection: Connection, event: AccountEvent): Promise<AccountEvent> {
  const { accountId, at, what, key, address } = event;
  await insertRow(connection, 'audit', {
    account_id: accountId,
    at,
    id: randomBytes(9).toString('base64url'),
    what,
    key_id: key?.id ?? null,
    last_four: key?.lastFour ?? null,
    address,
  });
  await connection.all(deleteOldest, { accountId });
  return event;
}

/** Saves an event of the store's owner, if that is an account. */
export async function saveOwnerEvent(
  connection: Connection,
  storeId: bigint,
  event: Omit<AccountEvent, 'accountId'>,
): Promise<void> {
  const [store] = await findRows(connection, 'stores', { id: storeId }, ['owner']);
  const [account] = store?.owner ? await findRows(connection, 'accounts', { id: store.owner }, ['id']) : [];
  if (account) await saveEvent(connection, { ...event, accountId: account.id });
}

/** The account may have been deleted while its password was checked: the event then has a placeholder as its account. */
export const recordEvent = verb('recordEvent', async (tx, event: AccountEvent & { placeholder: string }) => {
  const [account] = await findRows(tx, 'accounts', { id: event.accountId }, ['id']);
  return saveEvent(tx, { ...event, accountId: account?.id ?? event.placeholder });
});

/** Position and size of a page that is sorted newest first. */
export interface PagePosition {
  readonly afterAt: bigint;
  readonly afterId: string;
  readonly limit: bigint;
}

export const accountEvents = query((db, p: PagePosition & { accountId: string }) =>
  db
    .selectFrom('audit')
    .select(['id', 'at', 'what', 'key_id as keyId', 'last_four as lastFour', 'address'])
    .where('account_id', '=', p.accountId)
    .where(sql<boolean>`(at, id) < (${p.afterAt}, ${p.afterId})`)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(p.limit),
);

const deleteOldest = query((_, p: { accountId: string }) =>
  deleteBatch('audit', sql`account_id = ${p.accountId}`, { order: 'at, id', retained: MAX_EVENTS }),
);
