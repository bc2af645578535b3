import { writeDateTime } from '../http/content/date-time.ts';
import { ApiError } from '../http/errors.ts';
import { oneOf } from '../http/fields/field.ts';
import { readQuery } from '../http/fields/parameters.ts';
import { paging } from '../http/pages/paging.ts';
import { jsonAnswer } from '../http/server/answer.ts';
import type { Request } from '../http/server/request.ts';
import { createKey, newKey } from '../keys/create-key.ts';
import { KNOWN_KEY_ID, KNOWN_KEY_STAYS } from '../keys/known-key.ts';
import { listStoreKeys } from '../keys/list-keys.ts';
import { revokeStoreKey } from '../keys/revoke-key.ts';
import { rollKey } from '../keys/roll-key.ts';
import type { KeyScope } from '../vocabulary.ts';
import { readNewKey, rolling } from './account-bodies.ts';
import type { ConsoleContext, MemberHandler } from './console-context.ts';
import type { Session } from './sessions.ts';
import { pageFrom, pageOf } from './trail-paging.ts';

const HOUR_MS = 60 * 60 * 1000;
const overlaps = { now: 0, '1h': HOUR_MS, '24h': 24 * HOUR_MS } as const;

interface ShownKey {
  readonly id: string;
  readonly name: string;
  readonly lastFour: string;
  readonly scope: KeyScope;
  readonly createdAt: bigint;
  readonly expiresAt: bigint | null;
  readonly lastUsedAt?: bigint | null;
  readonly revokedAt?: bigint | null;
  readonly replacedBy?: string | null;
}

function refuseKnownKey({ params }: Request): void {
  if (params.keyId === KNOWN_KEY_ID) throw new ApiError('forbidden', KNOWN_KEY_STAYS);
}

const state = oneOf('Which keys to list.', {}, ['working', 'past']);

/** The keys of the account's store. A key itself is only ever in the answer that makes it. */
export function keyRoutes(context: ConsoleContext): Record<string, MemberHandler> {
  const { db, writer, deployment, keyUse, now, quotas, storeOf, tell, visitorOf } = context;
  const originOf = ({ accountId }: Session, request: Request) => ({
    accountId,
    address: visitorOf(request).address,
  });
  return {
    async 'GET /keys'(session, request) {
      const query = readQuery({ ...paging, state }, request.query);
      const { limit, afterAt, afterId } = await pageFrom(query);
      const storeId = await storeOf(session);
      const asked = {
        storeId,
        state: query.state ?? '',
        at: BigInt(now()),
        afterAt,
        afterId,
        limit: limit + 1n,
      };
      const page = pageOf(await db.all(listStoreKeys, asked), limit, ({ createdAt, id }) => [createdAt, id]);
      const data = page.data.map((key) =>
        present({ ...key, lastUsedAt: later(key.lastUsedAt, keyUse.latest(key.id)) }),
      );
      return jsonAnswer({ data, nextCursor: page.nextCursor });
    },

    async 'POST /keys'(session, request) {
      const { name, expiresAt, scope } = readNewKey(request.body, now());
      const storeId = await storeOf(session);
      const { key, details } = newKey(deployment, name, expiresAt, scope);
      const at = BigInt(now());
      const by = originOf(session, request);
      const change = { storeId, key: details, at, most: quotas.keys, by };
      const { keyId } = await writer.apply(createKey, change);
      tell({ ...by, what: 'key_created', at, key: { id: keyId, lastFour: details.lastFour } });
      return jsonAnswer({ ...present({ id: keyId, createdAt: at, ...details }), key }, 201);
    },

    async 'POST /keys/:keyId/roll'(session, request) {
      refuseKnownKey(request);
      const overlap = BigInt(overlaps[rolling(request.body).overlap]);
      const storeId = await storeOf(session);
      const { key, details: successor } = newKey(deployment, '');
      const { lastFour } = successor;
      const at = BigInt(now());
      const by = originOf(session, request);
      const change = { storeId, keyId: keyIdOf(request), overlap, successor, at, most: quotas.keys, by };
      const { keyId, ...kept } = await writer.apply(rollKey, change);
      tell({ ...by, what: 'key_rolled', at, key: { id: keyId, lastFour } });
      return jsonAnswer({ ...present({ id: keyId, lastFour, createdAt: at, ...kept }), key }, 201);
    },

    async 'DELETE /keys/:keyId'(session, request) {
      refuseKnownKey(request);
      const storeId = await storeOf(session);
      const keyId = keyIdOf(request);
      const at = BigInt(now());
      const by = originOf(session, request);
      const { isNew, lastFour } = await writer.apply(revokeStoreKey, { storeId, keyId, at, by });
      if (isNew) tell({ ...by, what: 'key_revoked', at, key: { id: keyId, lastFour } });
      return { status: 204 };
    },
  };
}

function keyIdOf(request: Request): string {
  const { keyId } = request.params as { keyId: string };
  if (!/^key_\w{1,40}$/.test(keyId)) throw new ApiError('not_found');
  return keyId;
}

function present({
  id,
  name,
  lastFour,
  scope,
  replacedBy = null,
  createdAt,
  expiresAt,
  lastUsedAt,
  revokedAt,
}: ShownKey) {
  return {
    id,
    name,
    lastFour,
    scope,
    replacedBy,
    createdAt: writeDateTime(createdAt),
    expiresAt: timeOrNull(expiresAt),
    lastUsedAt: timeOrNull(lastUsedAt),
    revokedAt: timeOrNull(revokedAt),
  };
}

function timeOrNull(time: bigint | null | undefined): string | null {
  return time === null || time === undefined ? null : writeDateTime(time);
}

function later(written: bigint | null, remembered: bigint | undefined): bigint | null {
  if (remembered === undefined) return written;
  return written === null || remembered > written ? remembered : written;
}
