import { openPrivateStore } from '../../../server/src/open-private-store.ts';
import { openWire, type Wire } from './wire.ts';

/** A private store for a client to call, and the wire on which it does. */
export interface Stage extends AsyncDisposable {
  readonly key: string;
  readonly wire: Wire;
  /** Calls an operation, as the owner of the store and past the wire: `POST /v2/sandbox/reset`. */
  call(request: string, body?: unknown): Promise<string>;
}

export async function openStage(): Promise<Stage> {
  const store = await openPrivateStore({});
  const wire = await openWire(Number(new URL(store.address).port));
  return {
    key: store.key,
    wire,
    async call(request, body) {
      const [method = 'GET', path] = request.split(' ');
      const answer = await fetch(store.address + path, {
        method,
        headers: { authorization: `Bearer ${store.key}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${request} answered ${answer.status} ${text}`);
      return text;
    },
    async [Symbol.asyncDispose]() {
      await wire[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}
