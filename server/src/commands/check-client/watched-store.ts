import { pino } from 'pino';
import { openPrivateStore, type PrivateStore } from '../../open-private-store.ts';

/** A request that arrived, and how it was answered. */
export interface Arrival {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** When its answer was handed over, in milliseconds since 1970, and how long it took. */
  readonly time: number;
  readonly ms: number;
}

/** A private store of which every request is noted. */
export interface WatchedStore extends PrivateStore {
  readonly arrivals: Arrival[];
  /** Is told of each. */
  onArrival: (arrival: Arrival) => void;
  /** Calls an operation, as its owner: `POST /v2/sandbox/reset`. */
  call(request: string, body?: unknown): Promise<string>;
}

export async function openWatchedStore(): Promise<WatchedStore> {
  const arrivals: Arrival[] = [];
  const note = (line: string) => {
    const { method, path, status, time, ms } = JSON.parse(line) as Arrival;
    if (status === undefined || path.startsWith('/v2/sandbox/')) return;
    arrivals.push({ method, path, status, time, ms });
    watched.onArrival({ method, path, status, time, ms });
  };
  const store = await openPrivateStore({ log: pino({ base: null }, { write: note }) });
  const watched: WatchedStore = {
    ...store,
    arrivals,
    onArrival: () => {},
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
  };
  return watched;
}
