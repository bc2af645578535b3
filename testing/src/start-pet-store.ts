import {
  type Client,
  createClient,
  type FaultInput,
  type ResetInput,
  type StoreReset,
} from '../../client/src/index.ts';
import { resetTimeouts } from '../../client/src/time.ts';
import { openPrivateStore } from '../../server/src/app/open-private-store.ts';

/** Initial contents of the store (default: the demo data). */
export type StartOptions = Partial<ResetInput>;

/** A staging deployment in this process, with one store. */
export interface PetStore extends AsyncDisposable {
  /** Base URL on a free local port: `http://127.0.0.1:…/v1`. */
  readonly url: string;
  /** Base URL of version 2, ending in `/v2`. */
  readonly v2Url: string;
  /** API key of the store. */
  readonly key: string;
  /** A client for the store, to set up tests and inspect results. */
  readonly client: Client;
  /** Replaces the data with the initial contents or another data set. Disarms all faults. */
  reset(input?: ResetInput): Promise<StoreReset>;
  /** Arms faults for upcoming requests, each firing once by default. Without arguments, disarms all. */
  fail(...faults: FaultInput[]): Promise<void>;
  /** Stops the service and deletes its data. `await using` calls it at the end of the block. */
  close(): Promise<void>;
}

/** Starts a private store. Any number of them can run in parallel. */
export async function startPetStore(options: StartOptions = {}): Promise<PetStore> {
  const input: ResetInput = options.data ? options : { dataSet: 'default', ...options };
  const store = await openPrivateStore();
  const access = { baseUrl: store.address, key: store.key };
  const client = createClient(access);
  const resetClient = createClient({ ...access, ...resetTimeouts });
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= Promise.resolve(store[Symbol.asyncDispose]());
    return closed;
  };
  try {
    if (Object.keys(options).length > 0) await resetClient.sandbox.reset(input);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    url: `${store.address}/v1`,
    v2Url: `${store.address}/v2`,
    key: store.key,
    client,
    reset: (other = input) => resetClient.sandbox.reset(other),
    async fail(...faults) {
      await client.sandbox.setFaults(faults);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
