import { text } from 'node:stream/consumers';
import { createClient, type PetStoreError } from '../../../client/src/index.ts';
import { NotFound, UsageError } from '../../../server/src/config/usage-error.ts';
import type { Call } from '../command-group.ts';
import { addressFrom, defaultAddress, keyFrom } from '../connection.ts';
import { printResult } from '../output.ts';
import { DEFAULT_PROFILE, profilesFile, readProfiles, writeProfiles } from '../profiles.ts';
import { serviceVersion } from '../service-version.ts';

/** Saves a URL and key as a profile after verifying the key with the service. */
export async function login(call: Call): Promise<void> {
  const { values, env, stdin } = call;
  const name = profileName(values.profile);
  if (values.key === undefined)
    throw new UsageError('login requires --key KEY, or --key - to read it from standard input');
  const key = keyFrom(values.key === '-' ? (await text(stdin)).trim() : values.key);
  const { origin, baseUrl } = addressFrom(values.url ?? defaultAddress(key));
  const notPetStore = new UsageError(`the server at ${baseUrl} is not Pet Store; pass its URL with --url`);
  const verified = createClient({ baseUrl, key }).pets.list({ limit: 1 });
  await verified.catch((error: PetStoreError) => {
    throw error.code === 'invalid_answer' ? notPetStore : error;
  });
  if ((await serviceVersion(origin)) === undefined) throw notPetStore;
  writeProfiles(env, { ...readProfiles(env), [name]: { url: baseUrl, key } });
  const [keyEnd, file] = [key.slice(-4), profilesFile(env)];
  const message = `Saved profile ${name}: ${baseUrl}, key ending in ${keyEnd}, in ${file}`;
  await printResult(message, { profile: name, url: baseUrl, keyEnd, file }, call);
}

export async function logout(call: Call): Promise<void> {
  const { values, env } = call;
  const name = profileName(values.profile);
  const profiles = readProfiles(env);
  if (!Object.hasOwn(profiles, name)) throw new NotFound(`profile '${name}' not found`);
  const { [name]: _, ...others } = profiles;
  writeProfiles(env, others);
  const message = `Deleted profile ${name}. Its key still works until you revoke it.`;
  await printResult(message, { forgotten: name }, call);
}

function profileName(text: string | boolean = DEFAULT_PROFILE): string {
  if (/^[A-Za-z0-9][\w.-]{0,63}$/.test(String(text))) return String(text);
  throw new UsageError(
    `invalid --profile '${text}': may contain letters, digits, dots, dashes and underscores`,
  );
}
