import { setTimeout as wait } from 'node:timers/promises';
import { openPrivateStore } from '../../../server/src/app/open-private-store.ts';
import { openWire, type Wire } from '../engine/wire.ts';

const MAX_RETRIES = 120;

/** A private store, and the recording proxy through which the client calls it. */
export interface TestStore extends AsyncDisposable {
  readonly key: string;
  readonly wire: Wire;
  /** Calls an operation directly, bypassing the proxy: `POST /v2/sandbox/reset`. */
  call(request: string, body?: unknown): Promise<string>;
}

export async function openTestStore(): Promise<TestStore> {
  await using opening = new AsyncDisposableStack();
  const store = opening.use(await openPrivateStore());
  const wire = opening.use(await openWire(Number(new URL(store.address).port)));
  const send = async (request: string, body: unknown, retries: number): Promise<string> => {
    const [method = 'GET', path] = request.split(' ');
    const response = await fetch(store.address + path, {
      method,
      headers: { authorization: `Bearer ${store.key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    // The service did not execute the request: the machine is busy, or another reset is running.
    if (response.status === 503 && retries > 0)
      return wait(1000).then(() => send(request, body, retries - 1));
    if (!response.ok) throw new Error(`${request} responded with ${response.status} ${text}`);
    return text;
  };
  const open = opening.move();
  return {
    key: store.key,
    wire,
    call: (request, body) => send(request, body, MAX_RETRIES),
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}
