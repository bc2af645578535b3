import { Inconclusive, once } from './check.ts';
import type { Call, Response } from './http.ts';
import { objectOf, type V2 } from './v2.ts';

export interface TemporaryStore extends AsyncDisposable {
  /** The response that created it. */
  readonly response: Response;
  readonly key: string;
  /** A call of version 2 with the store's key. */
  call(method: string, path: string, body?: string): Call;
  /** Deletes the store, once. Also called at the end of the run. */
  readonly close: () => Promise<Response>;
}

/** Throws `Inconclusive` if the service rejects `rateLimit`. */
export async function openTemporaryStore(v2: V2, body: string): Promise<TemporaryStore> {
  const { client } = v2;
  const response = await v2.send('POST', '/sandbox/stores', body);
  if (response.status === 400 && body.includes('"rateLimit"'))
    throw new Inconclusive('the service does not support a rate limit per store');
  const key = String(objectOf(response, 201).key);
  const call: TemporaryStore['call'] = (method, path, text) => ({
    method,
    prefix: client.v2,
    path,
    key,
    ...(text !== undefined && { body: text, headers: { 'Content-Type': 'application/json' } }),
  });
  const close = once(() => client.send(call('DELETE', '/sandbox/stores/current')));
  v2.onCleanUp(close);
  return {
    response,
    key,
    call,
    close,
    async [Symbol.asyncDispose]() {
      await close();
    },
  };
}
