import { originOf } from '../../client/src/base-address.ts';
import { type Client, type ClientOptions, createClient } from '../../client/src/index.ts';
import { UsageError } from '../../server/src/config/usage-error.ts';
import { deployments } from '../../server/src/deployment.ts';
import type { Call } from './place.ts';
import { DEFAULT_PROFILE, readProfiles } from './profiles.ts';

export interface Connection {
  /** Without a version, to call what is there. */
  readonly origin: string;
  /** With `/v1`, as it is shown. */
  readonly baseUrl: string;
  readonly key: string;
  /** The profile that address and key come from. */
  readonly profile?: string;
}

/** The address and key to call with: flags first, then a profile that was asked for, then variables, then `default`. */
export function connectionOf({ values, given, env }: Call): Connection {
  const asksForProfile = given.profile !== undefined && given.key === undefined;
  if (values.key !== undefined && !asksForProfile) {
    const key = keyFrom(values.key);
    return { key, ...addressFrom(values.url ?? usualAddress(key)) };
  }
  const name = String(values.profile ?? DEFAULT_PROFILE);
  const profiles = readProfiles(env);
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (!profile && values.profile === undefined)
    throw new UsageError('this needs --key KEY, PETSTORE_KEY, or a key remembered by petstore login');
  if (!profile)
    throw new UsageError(
      `there is no profile '${name}': make it with petstore login --profile ${name} --key KEY`,
    );
  const url = asksForProfile ? given.url : values.url;
  const known = addressFrom(profile.url);
  if (url !== undefined && addressFrom(url).origin !== known.origin)
    throw new UsageError(
      `the key of profile '${name}' is for ${known.baseUrl}; give --key for another address`,
    );
  return { ...known, key: profile.key, profile: name };
}

export function clientOf(call: Call, options: Partial<ClientOptions> = {}): Client {
  const { baseUrl, key } = connectionOf(call);
  return createClient({ ...options, baseUrl, key });
}

/** Where a service that was started by hand is: its deployment is known by the key. */
export function usualAddress(key: string): string {
  const known = Object.values(deployments).find(({ keyPrefix }) => key.startsWith(keyPrefix));
  return `http://127.0.0.1:${(known ?? deployments.production).port}/v1`;
}

export function addressFrom(text: string | boolean): Pick<Connection, 'origin' | 'baseUrl'> {
  const origin = originOf(String(text));
  if (origin !== undefined) return { origin, baseUrl: `${origin}/v1` };
  throw new UsageError(
    `--url is '${text}': it must be an address such as http://127.0.0.1:${deployments.production.port}/v1`,
  );
}

export function keyFrom(text: string | boolean): string {
  if (/^[\x21-\x7e]+$/.test(String(text))) return String(text);
  throw new UsageError('--key is no API key: it has characters that no key has');
}
