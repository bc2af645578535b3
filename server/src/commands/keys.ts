import { type OpenDeployment, openDeployment } from '../app/open-deployment.ts';
import { type CommandResult, choice, type FlagValues, type ServerCommand } from '../config/flags.ts';
import { NotFound, UsageError } from '../config/usage-error.ts';
import { replaceDomainError } from '../domain/domain-error.ts';
import { keyMatcher } from '../domain/key-format.ts';
import { writeDateTime } from '../http/encoding/date-time.ts';
import { parseInt64 } from '../http/encoding/int64.ts';
import { findCaller } from '../keys/find-caller.ts';
import { createKey as createStoreKey, isActive, listKeys, newKey, revokeKey } from '../keys/manage-keys.ts';
import { openStore } from '../provisioning/open-store.ts';
import { STATIC_KEY_ID, STATIC_KEY_IS_FIXED } from '../provisioning/static-key.ts';
import { oneDeployment, openExisting } from './one-deployment.ts';

export const createKey: ServerCommand<CommandResult> = async (values) => {
  const { name, location } = oneDeployment('keys create', values);
  const scope = choice(values, 'scope') ?? 'full';
  const { key, details } = newKey(name, values.name ?? 'command line', expiryFrom(values), scope);
  const created = { key: details, at: BigInt(Date.now()) };
  if (values.key === undefined && values.store === undefined) {
    await using deployment = await openDeployment(name, location);
    const opened = await deployment.writer.apply(openStore, { owner: null, ...created });
    return { text: key, json: { key, ...opened } };
  }
  await using deployment = await openExisting('keys create', values);
  const storeId = await storeFrom(values, deployment);
  const notFound = new NotFound(`store ${storeId} not found`);
  const { writer } = deployment;
  const added = await writer
    .apply(createStoreKey, { storeId, ...created })
    .catch(replaceDomainError(notFound));
  return { text: key, json: { key, storeId, ...added } };
};

async function storeFrom({ key, store }: FlagValues, { name, db }: OpenDeployment): Promise<bigint> {
  if (key !== undefined && store !== undefined) throw new UsageError('--key and --store cannot be combined');
  if (store !== undefined) {
    const storeId = parseInt64(store);
    if (storeId === undefined) throw new UsageError(`invalid --store '${store}': must be a store ID`);
    return storeId;
  }
  const isKey = keyMatcher(name, key);
  const found = await findCaller(db, isKey, String(key), BigInt(Date.now()));
  if (!found) throw new UsageError(`--key is not an active key of ${name}`);
  return found.storeId;
}

const units: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000 };

function expiryFrom({ expires }: FlagValues): bigint | null {
  if (expires === undefined) return null;
  const [, count, unit = ''] = /^(\d{1,6})([hd])$/.exec(expires) ?? [];
  const isDate = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(expires);
  const time = isDate ? Date.parse(expires) : Date.now() + Number(count) * Number(units[unit]);
  if (!(time > Date.now()))
    throw new UsageError(
      `invalid --expires '${expires}': must be in the future, such as 30d, 12h or 2031-12-01T08:00:00Z`,
    );
  return BigInt(time);
}

export type ListedKey = Awaited<ReturnType<typeof allKeys>>[number];

export async function allKeys(values: FlagValues) {
  await using deployment = await openExisting('keys list', values);
  const at = BigInt(Date.now());
  return (await deployment.db.all(listKeys, {})).map((key) => ({
    id: key.id,
    lastFour: key.last_four,
    state: key.revoked_at !== null ? 'revoked' : isActive(key, at) ? 'active' : 'expired',
    scope: key.scope,
    createdAt: writeDateTime(key.created_at),
    expiresAt: key.expires_at === null ? null : writeDateTime(key.expires_at),
    storeId: key.store_id,
    owner: key.email ?? key.owner,
    name: key.name,
  }));
}

export const revokeOneKey: ServerCommand<CommandResult> = async (values, [keyId = '']) => {
  await using deployment = await openExisting('keys revoke', values);
  if (keyId === STATIC_KEY_ID) throw new UsageError(STATIC_KEY_IS_FIXED);
  const notFound = new NotFound(`active key ${keyId} not found`);
  const change = { keyId, at: BigInt(Date.now()) };
  await deployment.writer.apply(revokeKey, change).catch(replaceDomainError(notFound));
  return { text: `Revoked ${keyId}`, json: { revoked: keyId } };
};
