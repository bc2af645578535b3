import type { Connection } from '../database/engine.ts';
import { query } from '../database/query.ts';
import type { DeploymentName } from '../deployment.ts';
import { refusedAs } from '../http/errors.ts';
import { mintSessionKey } from '../keys/console-sessions.ts';
import { type KeyDetails, newKey } from '../keys/create-key.ts';
import type { Writer } from '../writer/writer.ts';
import type { Tell } from './audit-log.ts';
import { openAccountStore } from './open-account-store.ts';
import { isOfKey, type KeySession, type Session } from './session.ts';

const SESSION_KEY_MS = 15n * 60n * 1000n;

export interface AccountKeysOptions {
  readonly db: Connection;
  readonly writer: Writer;
  readonly deployment: DeploymentName;
  readonly now: () => number;
  readonly tell: Tell;
}

export function accountKeys({ db, writer, deployment, now, tell }: AccountKeysOptions) {
  const open = ({ accountId }: Session, firstKey: KeyDetails | null, address: string) =>
    writer
      .apply(openAccountStore, { accountId, firstKey, at: BigInt(now()), address })
      .catch(refusedAs('not_signed_in'));

  const storeId = async (session: Session) => session.storeId ?? (await open(session, null, '')).storeId;

  return {
    storeId,

    /** The account's first key, for the first who asks; undefined for everyone after. */
    async firstKey(session: Session, address: string) {
      const [known] = await db.all(anyKeyOfOwner, { owner: session.accountId });
      if (known) return undefined;
      const { key, details } = newKey(deployment, 'first key');
      const createdAt = BigInt(now());
      const { keyId: id } = await open(session, details, address);
      if (id === null) return undefined;
      const made = { id, lastFour: details.lastFour };
      tell({ what: 'key_created', accountId: session.accountId, address, at: createdAt, key: made });
      return { id, key, createdAt, ...details };
    },

    /**
     * Makes a key for the session's calls of the API, which ends with it. Of a session that a key opened, it may do no
     * more than that key.
     */
    async sessionKey(session: Session | KeySession): Promise<{ key: string; expiresAt: bigint }> {
      const store = isOfKey(session) ? session.storeId : await storeId(session);
      const at = BigInt(now());
      const [scope, end] = isOfKey(session) ? [session.scope, session.keyExpiresAt] : ['full' as const, null];
      const usual = at + SESSION_KEY_MS;
      const expiresAt = end !== null && end < usual ? end : usual;
      const { key, details } = newKey(deployment, 'console session', expiresAt, scope);
      await writer
        .apply(mintSessionKey, { storeId: store, sessionId: session.id, key: details, at })
        .catch(refusedAs('not_signed_in'));
      return { key, expiresAt };
    },
  };
}

const anyKeyOfOwner = query((db, p: { owner: string }) =>
  db
    .selectFrom('keys')
    .innerJoin('stores', 'stores.id', 'keys.store_id')
    .select('keys.id')
    .where('stores.owner', '=', p.owner)
    .where('keys.session_id', 'is', null)
    .limit(1),
);
