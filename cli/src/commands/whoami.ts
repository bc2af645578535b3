import { deployments } from '../../../server/src/domain/deployment.ts';
import type { Call } from '../command-group.ts';
import { clientOf, connectionOf } from '../connection.ts';
import { type Column, Rows, show } from '../output.ts';
import { readProfiles } from '../profiles.ts';

interface ProfileRow {
  readonly profile: string | null;
  readonly url: string;
  readonly deployment: string | null;
  /** The last characters of the key; the rest is never printed. */
  readonly keyEnd: string;
}

const columns: readonly Column<ProfileRow>[] = [
  ['PROFILE', ({ profile }) => profile],
  ['URL', ({ url }) => url],
  ['DEPLOYMENT', ({ deployment }) => deployment],
  ['KEY ENDS IN', ({ keyEnd }) => keyEnd],
];

/** The store that commands call, after verifying the key with the service. */
export async function whoami(call: Call): Promise<void> {
  const { baseUrl, key, profile } = connectionOf(call);
  const { orders } = await clientOf(call).summary();
  const row = { ...profileRow(profile ?? null, baseUrl, key), orders };
  await show(row, [...columns, ['ORDERS', () => counts(orders)]], call);
}

/** Saved profiles; makes no request. */
export async function listProfiles(call: Call): Promise<void> {
  const rows = new Rows(columns, call, 'profiles');
  const profiles = Object.entries(readProfiles(call.env));
  await rows.write(profiles.map(([name, { url, key }]) => profileRow(name, url, key)));
  await rows.end();
}

function profileRow(profile: string | null, url: string, key: string): ProfileRow {
  const found = Object.entries(deployments).find(([, { keyPrefix }]) => key.startsWith(keyPrefix));
  return { profile, url, deployment: found?.[0] ?? null, keyEnd: key.slice(-4) };
}

function counts(orders: object): string {
  return Object.entries(orders)
    .map(([status, count]) => `${count} ${status}`)
    .join(', ');
}
