import { text } from 'node:stream/consumers';
import { createClient } from '../../../client/src/index.ts';
import { UnknownThing, UsageError } from '../../../server/src/config/usage-error.ts';
import { addressFrom, keyFrom, usualAddress } from '../connection.ts';
import type { Call } from '../place.ts';
import { DEFAULT_PROFILE, profilesFile, readProfiles, writeProfiles } from '../profiles.ts';

/** Remembers an address and a key, once the service has said that the key is good. */
export async function login({ values, env }: Call): Promise<void> {
  const name = nameOf(values.profile);
  if (values.key === undefined)
    throw new UsageError('login needs --key KEY, or --key - to read it from standard input');
  const key = keyFrom(values.key === '-' ? (await text(process.stdin)).trim() : values.key);
  const { baseUrl } = addressFrom(values.url ?? usualAddress(key));
  await createClient({ baseUrl, key }).pets.list({ limit: 1 });
  writeProfiles(env, { ...readProfiles(env), [name]: { url: baseUrl, key } });
  console.log(
    `profile ${name}: ${baseUrl} with the key that ends in ${key.slice(-4)}, in ${profilesFile(env)}`,
  );
}

export async function logout({ values, env }: Call): Promise<void> {
  const name = nameOf(values.profile);
  const { [name]: gone, ...others } = readProfiles(env);
  if (!gone) throw new UnknownThing(`there is no profile '${name}'`);
  writeProfiles(env, others);
  console.log(`profile ${name} is forgotten; the key itself still works until it is revoked`);
}

function nameOf(text: string | boolean = DEFAULT_PROFILE): string {
  if (/^[A-Za-z0-9][\w.-]{0,63}$/.test(String(text))) return String(text);
  throw new UsageError(`--profile is '${text}': it must be a name of letters, digits, dots and dashes`);
}
