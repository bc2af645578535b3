import { setTimeout as wait } from 'node:timers/promises';
import { openPrivateStore } from '../../../server/src/open-private-store.ts';
import { openWire, type Wire } from './wire.ts';

const MAX_RETRIES = 120;

/** A private store for a client to call, and the wire on which it does. */
export interface Stage extends AsyncDisposable {
  readonly key: string;
  readonly wire: Wire;
  /** Calls an operation, as the owner of the store and past the wire: `POST /v2/sandbox/reset`. */
  call(request: string, body?: unknown): Promise<string>;
}

export async function openStage(): Promise<Stage> {
  await using opening = new AsyncDisposableStack();
  const store = opening.use(await openPrivateStore());
  const wire = opening.use(await openWire(Number(new URL(store.address).port)));
  const send = async (request: string, body: unknown, retries: number): Promise<string> => {
    const [method = 'GET', path] = request.split(' ');
    const answer = await fetch(store.address + path, {
      method,
      headers: { authorization: `Bearer ${store.key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    // Nothing was done: the machine is busy, or another reset is under way.
    if (answer.status === 503 && retries > 0) return wait(1000).then(() => send(request, body, retries - 1));
    if (!answer.ok) throw new Error(`${request} answered ${answer.status} ${text}`);
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
