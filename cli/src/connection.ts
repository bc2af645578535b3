import { type Client, type ClientOptions, createClient } from '../../client/src/index.ts';
import { DEFAULT_PORT } from '../../server/src/config/flags.ts';
import { UsageError } from '../../server/src/config/usage-error.ts';
import { deployments } from '../../server/src/deployment.ts';
import type { Call } from './place.ts';
import { DEFAULT_PROFILE, readProfiles } from './profiles.ts';

export interface Connection {
  readonly url: string;
  readonly key: string;
  /** The profile that both are of. */
  readonly profile?: string;
}

/** The address and key to call with: flags first, then a profile that was asked for, then variables, then `default`. */
export function connectionOf({ values, given, env }: Call): Connection {
  const asksForProfile = given.profile !== undefined && given.key === undefined;
  if (values.key !== undefined && !asksForProfile) {
    const key = keyFrom(values.key);
    return { key, url: addressFrom('url', values.url ?? usualAddress(key)) };
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
  if (url !== undefined && addressFrom('url', url) !== profile.url)
    throw new UsageError(
      `the key of profile '${name}' is for ${profile.url}; give --key for another address`,
    );
  return { ...profile, profile: name };
}

export function clientOf(call: Call, options: Partial<ClientOptions> = {}): Client {
  const { url, key } = connectionOf(call);
  return createClient({ ...options, baseUrl: url, key });
}

/** Where a service that was started by hand is: its deployment is known by the key. */
export function usualAddress(key: string): string {
  const known = Object.values(deployments).find(({ keyPrefix }) => key.startsWith(keyPrefix));
  return `http://127.0.0.1:${DEFAULT_PORT + (known?.portOffset ?? 0)}`;
}

export function addressFrom(flag: string, text: string | boolean): string {
  const url = URL.parse(String(text));
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password)
    return url.href.replace(/\/(v[12]\/?)?$/, '');
  throw new UsageError(
    `--${flag} is '${text}': it must be an address such as http://127.0.0.1:${DEFAULT_PORT}`,
  );
}

export function keyFrom(text: string | boolean): string {
  if (/^[\x21-\x7e]+$/.test(String(text))) return String(text);
  throw new UsageError('--key is no API key: it has characters that no key has');
}
