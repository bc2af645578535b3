import { setTimeout as wait } from 'node:timers/promises';
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
  const store = await openPrivateStore();
  const wire = await openWire(Number(new URL(store.address).port));
  const call: Stage['call'] = async (request, body) => {
    const [method = 'GET', path] = request.split(' ');
    const answer = await fetch(store.address + path, {
      method,
      headers: { authorization: `Bearer ${store.key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    // Nothing was done: the machine is busy, or another reset is under way.
    if (answer.status === 503) return wait(1000).then(() => call(request, body));
    if (!answer.ok) throw new Error(`${request} answered ${answer.status} ${text}`);
    return text;
  };
  return {
    key: store.key,
    wire,
    call,
    async [Symbol.asyncDispose]() {
      await wire[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}
