import { choice, type FlagValues, type ServerCommand } from '../config/flags.ts';
import { UnknownThing, UsageError } from '../config/usage-error.ts';
import { parseInt64 } from '../http/content/int64.ts';
import { keyForm } from '../key-format.ts';
import { createKey as createStoreKey, newKey } from '../keys/create-key.ts';
import { findCaller } from '../keys/find-caller.ts';
import { KNOWN_KEY, KNOWN_KEY_ID } from '../keys/known-key.ts';
import { listKeys } from '../keys/list-keys.ts';
import { revokeKey } from '../keys/revoke-key.ts';
import { type OpenDeployment, openDeployment } from '../open-deployment.ts';
import { openStore } from '../orders/open-store.ts';
import { keyScopes } from '../vocabulary.ts';
import { insteadOfRefusal, oneDeployment, openExisting } from './one-deployment.ts';

/** `petstore keys create`: opens a new store, or takes one that is there, and prints a key to it. */
export const createKey: ServerCommand = async (values) => {
  const { name, location } = oneDeployment('keys create', values);
  const scope = choice('scope', values.scope ?? 'full', keyScopes);
  const { key, details } = newKey(name, String(values.name ?? 'command line'), expiryFrom(values), scope);
  const made = { key: details, at: BigInt(Date.now()) };
  if (values.key === undefined && values.store === undefined) {
    await using deployment = await openDeployment(name, location);
    await deployment.writer.apply(openStore, { owner: null, ...made });
  } else {
    await using deployment = await openExisting('keys create', values);
    const storeId = await storeFrom(values, deployment);
    const absent = new UsageError(`there is no store ${storeId}`);
    await deployment.writer.apply(createStoreKey, { storeId, ...made }).catch(insteadOfRefusal(absent));
  }
  console.log(key);
};

async function storeFrom({ key, store }: FlagValues, { name, db }: OpenDeployment): Promise<bigint> {
  if (key !== undefined && store !== undefined) throw new UsageError('give --key or --store, not both');
  if (store !== undefined) {
    const storeId = parseInt64(String(store));
    if (storeId === undefined) throw new UsageError(`--store is '${store}': it must be the id of a store`);
    return storeId;
  }
  const found = await findCaller(db, keyForm(name, String(key)), String(key), BigInt(Date.now()));
  if (!found) throw new UsageError(`--key is not a working key of ${name}`);
  return found.storeId;
}

const units: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000 };

function expiryFrom({ expires }: FlagValues): bigint | null {
  if (expires === undefined) return null;
  const [, count, unit = ''] = /^(\d{1,6})([hd])$/.exec(String(expires)) ?? [];
  const isDate = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(String(expires));
  const time = isDate ? Date.parse(String(expires)) : Date.now() + Number(count) * Number(units[unit]);
  if (!(time > Date.now())) {
    throw new UsageError(
      `--expires is '${expires}': it must be in the future, such as 30d, 12h or 2031-12-01T08:00:00Z`,
    );
  }
  return BigInt(time);
}

/** `petstore keys list`: every key of the deployment, which store it opens, and whose that is. */
export const showKeys: ServerCommand = async (values) => {
  await using deployment = await openExisting('keys list', values);
  const minute = (time: bigint | null) =>
    time === null ? '-' : new Date(Number(time)).toISOString().slice(0, 16);
  const rows = (await deployment.db.all(listKeys, {})).map((key) => [
    key.id,
    `…${key.last_four}`,
    key.revoked_at === null ? 'active' : 'revoked',
    key.scope,
    minute(key.created_at),
    minute(key.expires_at),
    String(key.store_id),
    key.email ?? key.owner ?? '-',
    key.name,
  ]);
  const heads = ['KEY', 'ENDS', 'STATE', 'SCOPE', 'CREATED', 'EXPIRES', 'STORE', 'OWNER', 'NAME'];
  const table = [heads, ...rows];
  const widths = heads.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  for (const row of table) {
    const cells = row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
    console.log(cells.join('  ').trimEnd());
  }
};

/** `petstore keys revoke KEY_ID`: from the next request on, the key opens nothing. */
export const revokeOneKey: ServerCommand = async (values, [keyId = '']) => {
  await using deployment = await openExisting('keys revoke', values);
  if (keyId === KNOWN_KEY_ID) throw new UsageError(KNOWN_KEY);
  const absent = new UnknownThing(`there is no active key ${keyId}`);
  const change = { keyId, at: BigInt(Date.now()) };
  await deployment.writer.apply(revokeKey, change).catch(insteadOfRefusal(absent));
  console.log(`revoked ${keyId}`);
};
