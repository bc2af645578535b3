import { originOf } from '../../client/src/base-address.ts';
import { type Client, type ClientOptions, createClient } from '../../client/src/index.ts';
import { UsageError } from '../../server/src/config/usage-error.ts';
import { deployments } from '../../server/src/domain/deployment.ts';
import type { Call } from './command-group.ts';
import { DEFAULT_PROFILE, readProfiles } from './profiles.ts';

export interface Connection {
  /** Without the version prefix. */
  readonly origin: string;
  /** With `/v1`, for display. */
  readonly baseUrl: string;
  readonly key: string;
  /** The profile that supplied the URL and key. */
  readonly profile?: string;
}

/** URL and key by precedence: flags, the profile named by a flag, environment variables, the profile `default`. */
export function connectionOf({ values, given, env }: Call): Connection {
  const asksForProfile = given.profile !== undefined && given.key === undefined;
  if (values.key !== undefined && !asksForProfile) {
    const key = keyFrom(values.key);
    return { key, ...addressFrom(values.url ?? defaultAddress(key)) };
  }
  const name = String(values.profile ?? DEFAULT_PROFILE);
  const profiles = readProfiles(env);
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (!profile && values.profile === undefined)
    throw new UsageError('no API key: pass --key KEY, set PETSTORE_KEY, or run petstore login');
  if (!profile)
    throw new UsageError(
      `profile '${name}' not found; create it with petstore login --profile ${name} --key KEY`,
    );
  const url = asksForProfile ? given.url : values.url;
  const address = addressFrom(profile.url);
  if (url !== undefined && addressFrom(url).origin !== address.origin)
    throw new UsageError(`profile '${name}' is for ${address.baseUrl}; pass --key to use another URL`);
  return { ...address, key: profile.key, profile: name };
}

export function clientOf(call: Call, options: Partial<ClientOptions> = {}): Client {
  const { baseUrl, key } = connectionOf(call);
  return createClient({ ...options, baseUrl, key });
}

/** The default local URL of the key's deployment. */
export function defaultAddress(key: string): string {
  const deployment = Object.values(deployments).find(({ keyPrefix }) => key.startsWith(keyPrefix));
  return `http://127.0.0.1:${(deployment ?? deployments.production).port}/v1`;
}

export function addressFrom(text: string | boolean): Pick<Connection, 'origin' | 'baseUrl'> {
  const origin = originOf(String(text));
  if (origin !== undefined) return { origin, baseUrl: `${origin}/v1` };
  throw new UsageError(
    `invalid --url '${text}': must be a URL such as http://127.0.0.1:${deployments.production.port}/v1`,
  );
}

export function keyFrom(text: string | boolean): string {
  if (/^[\x21-\x7e]+$/.test(String(text))) return String(text);
  throw new UsageError('invalid --key: it contains characters that are not allowed in API keys');
}
