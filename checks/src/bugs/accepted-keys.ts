import type { BugHooks, CallService, ForwardedRequest } from './bug.ts';

/** The most recent keys that the service accepted, as `Authorization` values. Bugs send other requests with them. */
export interface AcceptedKeys {
  readonly watch: NonNullable<BugHooks['watch']>;
  readonly all: ReadonlySet<string>;
  /** Keys of stores other than the caller's. */
  ofOtherStores(forwarded: Readonly<ForwardedRequest>, callService: CallService): Promise<string[]>;
  /** Other keys of the caller's store. */
  ofSameStore(forwarded: Readonly<ForwardedRequest>, callService: CallService): Promise<string[]>;
}

const MAX_KEYS = 100;

export function acceptedKeys(): AcceptedKeys {
  const all = new Set<string>();
  const pick = async (isSame: boolean, { headers }: Readonly<ForwardedRequest>, callService: CallService) => {
    const { authorization = '' } = headers;
    const own = await storeOf(authorization, callService);
    const picked: string[] = [];
    for (const key of all) {
      const store = key === authorization ? undefined : await storeOf(key, callService);
      if (store !== undefined && (store === own) === isSame) picked.push(key);
    }
    return picked;
  };
  return {
    all,
    watch({ status }, { path, headers: { authorization } }) {
      if (status === 401 || authorization === undefined || !/^\/v[12]\//.test(path)) return;
      all.delete(authorization);
      all.add(authorization);
      for (const oldest of all) if (all.size > MAX_KEYS) all.delete(oldest);
    },
    ofOtherStores: (forwarded, callService) => pick(false, forwarded, callService),
    ofSameStore: (forwarded, callService) => pick(true, forwarded, callService),
  };
}

/** Identifies the store of a key by the `ETag` of its pets, without the revision at the end. */
async function storeOf(key: string, callService: CallService): Promise<string | undefined> {
  const { status, headers } = await callService('GET /v1/pets', undefined, key);
  return status === 200 ? headers.etag?.replace(/-[^-]*$/, '') : undefined;
}
