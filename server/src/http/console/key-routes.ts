import type { FastifyRequest } from 'fastify';
import { newKey } from '../../keys/create-key.ts';
import { listStoreKeys } from '../../keys/list-keys.ts';
import type { KeyScope } from '../../keys/scopes.ts';
import { writeDateTime } from '../content/date-time.ts';
import { ApiError } from '../errors.ts';
import { type Handler, jsonAnswer } from '../server/answer.ts';
import { readNewKey, rolling } from './bodies.ts';
import { type ConsoleContext, signedIn } from './handling.ts';

const HOUR_MS = 60 * 60 * 1000;
/** How long a rolled key goes on working. */
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
}

/** The keys of the account's store. A key itself is only ever in the answer that makes it. */
export function keyRoutes(context: ConsoleContext): Record<string, Handler> {
  const { accounts, db, writer, deployment, keyUse, now, quotas } = context;
  return {
    'GET /keys': signedIn(context, async (session) => {
      const keys = await db.all(listStoreKeys, { storeId: await accounts.storeId(session) });
      const data = keys.map((key) =>
        present({ ...key, lastUsedAt: later(key.lastUsedAt, keyUse.latest(key.id)) }),
      );
      return jsonAnswer({ data });
    }),

    'POST /keys': signedIn(context, async (session, request) => {
      const { name, expiresAt, scope } = readNewKey(request.body, now());
      const storeId = await accounts.storeId(session);
      const { key, details } = newKey(deployment, name, expiresAt, scope);
      const at = BigInt(now());
      const { keyId } = await writer.apply('createKey', { storeId, key: details, at, most: quotas.keys });
      return jsonAnswer({ ...present({ id: keyId, createdAt: at, ...details }), key }, 201);
    }),

    'POST /keys/:keyId/roll': signedIn(context, async (session, request) => {
      const overlap = BigInt(overlaps[rolling(request.body).overlap]);
      const storeId = await accounts.storeId(session);
      const { key, details: successor } = newKey(deployment, '');
      const at = BigInt(now());
      const change = { storeId, keyId: keyIdOf(request), overlap, successor, at, most: quotas.keys };
      const { keyId, name, scope, expiresAt } = await writer.apply('rollKey', change);
      const shown = { id: keyId, name, lastFour: successor.lastFour, scope, createdAt: at, expiresAt };
      return jsonAnswer({ ...present(shown), key }, 201);
    }),

    'DELETE /keys/:keyId': signedIn(context, async (session, request) => {
      const storeId = await accounts.storeId(session);
      await writer.apply('revokeStoreKey', { storeId, keyId: keyIdOf(request), at: BigInt(now()) });
      return { status: 204 };
    }),
  };
}

/** The id in the path; what cannot be one names nothing. */
function keyIdOf(request: FastifyRequest): string {
  const { keyId } = request.params as { keyId: string };
  if (!/^key_\w{1,40}$/.test(keyId)) throw new ApiError('not_found');
  return keyId;
}

function present({ id, name, lastFour, scope, createdAt, expiresAt, lastUsedAt, revokedAt }: ShownKey) {
  return {
    id,
    name,
    lastFour,
    scope,
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
