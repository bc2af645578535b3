import {
  type Client,
  createClient,
  type FaultInput,
  type ResetInput,
  type StoreReset,
} from '../../client/src/index.ts';
import { patientWithReset } from '../../client/src/time.ts';
import { openPrivateStore } from '../../server/src/open-private-store.ts';

/** What the store begins with: the demonstration data unless something else is named. */
export type StartOptions = Partial<ResetInput>;

/** A staging deployment in this process, with one store and a key to it. */
export interface PetStore extends AsyncDisposable {
  /** The base address, on a port that was free: `http://127.0.0.1:…/v1`. */
  readonly url: string;
  /** The same with `/v2`. */
  readonly v2Url: string;
  /** Opens the store. */
  readonly key: string;
  /** Calls the store, to prepare what is tested and to look at what became of it. */
  readonly client: Client;
  /** Fills the store anew: with what it began with, or with another data set. Disarms all faults. */
  reset(input?: ResetInput): Promise<StoreReset>;
  /** Lets requests to come fail, each fault once unless it says how often; without any, none fails any more. */
  fail(...faults: FaultInput[]): Promise<void>;
  /** Ends it and removes its data; so does the end of the block that it is declared in with `await using`. */
  close(): Promise<void>;
}

/** Starts a store of your own. Any number of them can run side by side. */
export async function startPetStore(options: StartOptions = {}): Promise<PetStore> {
  const input: ResetInput = options.data ? options : { dataSet: 'default', ...options };
  const store = await openPrivateStore();
  const access = { baseUrl: store.address, key: store.key };
  const client = createClient(access);
  const patient = createClient({ ...access, ...patientWithReset });
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= Promise.resolve(store[Symbol.asyncDispose]());
    return closed;
  };
  try {
    if (Object.keys(options).length > 0) await patient.sandbox.reset(input);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    url: `${store.address}/v1`,
    v2Url: `${store.address}/v2`,
    key: store.key,
    client,
    reset: (other = input) => patient.sandbox.reset(other),
    async fail(...faults) {
      await client.sandbox.setFaults(faults);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
