import { text } from 'node:stream/consumers';
import { createClient, type PetStoreError } from '../../../client/src/index.ts';
import { UnknownThing, UsageError } from '../../../server/src/config/usage-error.ts';
import { addressFrom, keyFrom, usualAddress } from '../connection.ts';
import { tell } from '../output.ts';
import type { Call } from '../place.ts';
import { DEFAULT_PROFILE, profilesFile, readProfiles, writeProfiles } from '../profiles.ts';
import { serviceVersion } from '../service-version.ts';

/** Remembers an address and a key, once the service has said that the key is good. */
export async function login(call: Call): Promise<void> {
  const { values, env, stdin } = call;
  const name = nameOf(values.profile);
  if (values.key === undefined)
    throw new UsageError('login needs --key KEY, or --key - to read it from standard input');
  const key = keyFrom(values.key === '-' ? (await text(stdin)).trim() : values.key);
  const { origin, baseUrl } = addressFrom(values.url ?? usualAddress(key));
  const stranger = new UsageError(`what answers at ${baseUrl} is not Pet Store; give its address with --url`);
  const asked = createClient({ baseUrl, key }).pets.list({ limit: 1 });
  await asked.catch((error: PetStoreError) => {
    throw error.code === 'invalid_answer' ? stranger : error;
  });
  if ((await serviceVersion(origin)) === undefined) throw stranger;
  writeProfiles(env, { ...readProfiles(env), [name]: { url: baseUrl, key } });
  const [keyEnd, file] = [key.slice(-4), profilesFile(env)];
  const told = `profile ${name}: ${baseUrl} with the key that ends in ${keyEnd}, in ${file}`;
  await tell(told, { profile: name, url: baseUrl, keyEnd, file }, call);
}

export async function logout(call: Call): Promise<void> {
  const { values, env } = call;
  const name = nameOf(values.profile);
  const profiles = readProfiles(env);
  if (!Object.hasOwn(profiles, name)) throw new UnknownThing(`there is no profile '${name}'`);
  const { [name]: _, ...others } = profiles;
  writeProfiles(env, others);
  const told = `profile ${name} is forgotten; the key itself still works until it is revoked`;
  await tell(told, { forgotten: name }, call);
}

function nameOf(text: string | boolean = DEFAULT_PROFILE): string {
  if (/^[A-Za-z0-9][\w.-]{0,63}$/.test(String(text))) return String(text);
  throw new UsageError(`--profile is '${text}': it must be a name of letters, digits, dots and dashes`);
}
