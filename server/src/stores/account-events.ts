import { randomBytes } from 'node:crypto';
import type { Connection } from '../database/engine.ts';
import { query } from '../database/query.ts';
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
  | 'opened_with_key';

export interface Origin {
  readonly accountId: string;
  readonly address: string;
  readonly at: bigint;
}

export interface AccountEvent extends Origin {
  readonly what: EventName;
  readonly key?: { readonly id: string; readonly lastFour: string };
}

const MOST_EVENTS = 1_000n;

export async function saveEvent(connection: Connection, { key, ...event }: AccountEvent): Promise<void> {
  const id = randomBytes(9).toString('base64url');
  await connection.all(insertEvent, {
    ...event,
    id,
    keyId: key?.id ?? null,
    lastFour: key?.lastFour ?? null,
  });
  await connection.all(forgetOldest, { accountId: event.accountId, kept: MOST_EVENTS });
}

export const recordEvent = verb('recordEvent', async (tx, event: AccountEvent) => {
  await saveEvent(tx, event);
});

interface EventPage {
  readonly accountId: string;
  readonly afterAt: bigint;
  readonly afterId: string;
  readonly limit: bigint;
}

export const accountEvents = query((db, p: EventPage) =>
  db
    .selectFrom('audit')
    .select(['id', 'at', 'what', 'key_id as keyId', 'last_four as lastFour', 'address'])
    .where('account_id', '=', p.accountId)
    .where((eb) =>
      eb.or([eb('at', '<', p.afterAt), eb.and([eb('at', '=', p.afterAt), eb('id', '<', p.afterId)])]),
    )
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(p.limit),
);

export const deleteEvents = query((db, p: { accountId: string }) =>
  db.deleteFrom('audit').where('account_id', '=', p.accountId),
);

type EventRow = Omit<AccountEvent, 'key'> & { id: string; keyId: string | null; lastFour: string | null };

const insertEvent = query((db, p: EventRow) =>
  db.insertInto('audit').values({
    account_id: p.accountId,
    at: p.at,
    id: p.id,
    what: p.what,
    key_id: p.keyId,
    last_four: p.lastFour,
    address: p.address,
  }),
);

const forgetOldest = query((db, p: { accountId: string; kept: bigint }) =>
  db
    .deleteFrom('audit')
    .where('account_id', '=', p.accountId)
    .where('at', '<=', (eb) =>
      eb
        .selectFrom('audit')
        .select('at')
        .where('account_id', '=', p.accountId)
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .limit(1)
        .offset(p.kept),
    ),
);
