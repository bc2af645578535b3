import { writeTimes } from '../http/content/date-time.ts';
import { ApiError } from '../http/errors.ts';
import { oneOf } from '../http/fields/field.ts';
import { readQuery } from '../http/fields/parameters.ts';
import { paging } from '../http/pages/paging.ts';
import { jsonAnswer, type Request } from '../http/server/request.ts';
import { createKey, newKey } from '../keys/create-key.ts';
import { listStoreKeys } from '../keys/list-keys.ts';
import { revokeStoreKey, rollKey } from '../keys/roll-and-revoke-key.ts';
import { KNOWN_KEY_ID, KNOWN_KEY_STAYS } from '../orders/set-known-key.ts';
import { readNewKey, readRoll } from './account-bodies.ts';
import type { ConsoleContext, MemberHandler } from './console-context.ts';
import { answerTrail } from './trail-paging.ts';

const HOUR_MS = 60 * 60 * 1000;
const overlaps = { now: 0, '1h': HOUR_MS, '24h': 24 * HOUR_MS } as const;

const stateField = oneOf('Which keys to list.', {}, ['working', 'past']);

/** The keys of the account's store. A key itself is only ever in the answer that makes it. */
export function keyRoutes(context: ConsoleContext): Record<string, MemberHandler> {
  const { db, writer, deployment, keyUse, now, quotas, storeOf, madeBy, tell } = context;
  return {
    async 'GET /keys'(request, session) {
      const { state = '', ...query } = readQuery({ ...paging, state: stateField }, request.query);
      const lastUse = keyUse.recent();
      return answerTrail(query, {
        async read(rows) {
          const storeId = await storeOf(session);
          return db.all(listStoreKeys, { storeId, state, at: BigInt(now()), ...rows });
        },
        place: ({ createdAt, id }) => [createdAt, id],
        show: (key) => show({ ...key, lastUsedAt: lastUse(key.id, key.lastUsedAt) }),
      });
    },

    async 'POST /keys'(request, session) {
      const { name, expiresAt, scope } = await readNewKey(request, now);
      const storeId = await storeOf(session);
      const { key, details } = newKey(deployment, name, expiresAt, scope);
      const { last_four: lastFour } = details;
      const by = madeBy(session, request);
      const { at } = by;
      const change = { storeId, key: details, at, most: quotas.keys, by };
      const { keyId: id } = await writer.apply(createKey, change);
      tell({ ...by, what: 'key_created', key: { id, lastFour } });
      return jsonAnswer({ ...show({ id, name, lastFour, scope, createdAt: at, expiresAt }), key }, 201);
    },

    async 'POST /keys/:keyId/roll'(request, session) {
      const replaced = keyIdOf(request);
      const { overlap } = await readRoll(request);
      const storeId = await storeOf(session);
      const { key, details: successor } = newKey(deployment, '');
      const { last_four: lastFour } = successor;
      const by = madeBy(session, request);
      const overlapMs = BigInt(overlaps[overlap]);
      const change = { ...by, storeId, keyId: replaced, overlapMs, successor, most: quotas.keys };
      const { keyId, ...kept } = await writer.apply(rollKey, change);
      tell({ ...by, what: 'key_rolled', key: { id: keyId, lastFour } });
      return jsonAnswer({ ...show({ id: keyId, lastFour, createdAt: by.at, ...kept }), key }, 201);
    },

    async 'DELETE /keys/:keyId'(request, session) {
      const keyId = keyIdOf(request);
      const storeId = await storeOf(session);
      const revoke = { ...madeBy(session, request), storeId, keyId };
      tell(await writer.apply(revokeStoreKey, revoke));
      return { status: 204 };
    },
  };
}

function keyIdOf(request: Request): string {
  const { keyId } = request.params as { keyId: string };
  if (keyId === KNOWN_KEY_ID) throw new ApiError('forbidden', KNOWN_KEY_STAYS);
  if (!/^key_\w{1,40}$/.test(keyId)) throw new ApiError('not_found');
  return keyId;
}

function show(key: object): object {
  return writeTimes({ replacedBy: null, lastUsedAt: null, revokedAt: null, ...key });
}
