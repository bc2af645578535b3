import { choice, type FlagValues, type ServerCommand } from '../config/flags.ts';
import { UnknownThing, UsageError } from '../config/usage-error.ts';
import type { DeploymentName } from '../deployment.ts';
import { parseInt64 } from '../http/content/int64.ts';
import { keyForm } from '../key-format.ts';
import { type CreateKey, createKey as createStoreKey, newKey } from '../keys/create-key.ts';
import { findCaller } from '../keys/find-caller.ts';
import { KNOWN_KEY, KNOWN_KEY_ID } from '../keys/known-key.ts';
import { listKeys } from '../keys/list-keys.ts';
import { revokeKey } from '../keys/revoke-key.ts';
import { type OpenDeployment, openDeployment } from '../open-deployment.ts';
import { openStore } from '../orders/open-store.ts';
import { Refusal } from '../refusal.ts';
import { keyScopes } from '../vocabulary.ts';
import { mustExist, oneDeployment } from './one-deployment.ts';

/** `petstore keys create`: opens a new store, or takes one that is there, and prints a key to it. */
export const createKey: ServerCommand = async (values) => {
  const { name, location } = oneDeployment('keys create', values);
  const { key, details } = newKey(
    name,
    String(values.name ?? 'command line'),
    expiryFrom(values),
    choice('scope', values.scope ?? 'full', keyScopes),
  );
  const isNew = values.key === undefined && values.store === undefined;
  if (!isNew) mustExist(name, location);
  await using deployment = await openDeployment(name, location);
  const made = { key: details, at: BigInt(Date.now()) };
  if (isNew) await deployment.writer.apply(openStore, { owner: null, ...made });
  else await addKey(deployment, { storeId: await storeFrom(values, name, deployment), ...made });
  console.log(key);
};

async function storeFrom(
  { key, store }: FlagValues,
  name: DeploymentName,
  { db }: OpenDeployment,
): Promise<bigint> {
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

async function addKey({ writer }: OpenDeployment, made: CreateKey): Promise<void> {
  try {
    await writer.apply(createStoreKey, made);
  } catch (error) {
    if (error instanceof Refusal) throw new UsageError(`there is no store ${made.storeId}`);
    throw error;
  }
}

/** `petstore keys list`: every key of the deployment, which store it opens, and whose that is. */
export const showKeys: ServerCommand = async (values) => {
  const { name, location } = oneDeployment('keys list', values);
  mustExist(name, location);
  await using deployment = await openDeployment(name, location);
  await list(deployment);
};

/** `petstore keys revoke KEY_ID`: from the next request on, the key opens nothing. */
export const revokeOneKey: ServerCommand = async (values, [keyId = '']) => {
  const { name, location } = oneDeployment('keys revoke', values);
  mustExist(name, location);
  await using deployment = await openDeployment(name, location);
  await revoke(deployment, keyId);
};

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

async function list({ db }: OpenDeployment): Promise<void> {
  const day = (time: bigint | null) =>
    time === null ? '-' : new Date(Number(time)).toISOString().slice(0, 16);
  const rows = (await db.all(listKeys, {})).map((key) => [
    key.id,
    `…${key.last_four}`,
    key.revoked_at === null ? 'active' : 'revoked',
    key.scope,
    day(key.created_at),
    day(key.expires_at),
    String(key.store_id),
    ownerOf(key),
    key.name,
  ]);
  const table = [['KEY', 'ENDS', 'STATE', 'SCOPE', 'CREATED', 'EXPIRES', 'STORE', 'OWNER', 'NAME'], ...rows];
  const widths =
    table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  for (const row of table)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}

/** The account by its e-mail address; a store of the command line is nobody's. */
function ownerOf({ owner, email }: { owner: string | null; email: string | null }): string {
  return email ?? owner ?? '-';
}

async function revoke({ writer }: OpenDeployment, keyId: string): Promise<void> {
  if (keyId === KNOWN_KEY_ID) throw new UsageError(KNOWN_KEY);
  try {
    await writer.apply(revokeKey, { keyId, at: BigInt(Date.now()) });
  } catch (error) {
    if (error instanceof Refusal) throw new UnknownThing(`there is no active key ${keyId}`);
    throw error;
  }
  console.log(`revoked ${keyId}`);
}
