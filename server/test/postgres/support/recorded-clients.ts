import { Agent, request as send } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { demonstrationPets } from '../../../src/provisioning/demonstration-data.ts';
import type { RequestKind, Seen } from './order-register.ts';

/** An order is known by its pet and quantity: no two placements ask for the same, and neither ever changes. */
export type Mark = string;

interface OrderBody {
  readonly id: number;
  readonly petId: number;
  readonly quantity: number;
  readonly complete: boolean;
  readonly status?: string;
}

/** The demonstration orders of every store are for its own pets. */
const isForOwnPet = ({ petId }: OrderBody) => petId > demonstrationPets.length;

const identityOf = ({ petId, quantity }: { petId: number; quantity: number }): Mark => `${petId}×${quantity}`;

/** All that the clients of one store saw. */
export interface History {
  /** Requests about one order. */
  readonly seen: Map<Mark, Seen[]>;
  readonly lists: Array<{ start: number; end: number; complete: Map<Mark, boolean> }>;
  /** The ids under which an order was seen: more than one means that it was placed twice. */
  readonly ids: Map<Mark, Set<number>>;
  readonly marks: Map<number, Mark>;
  /** Responses by kind, to show the composition of the load. */
  readonly counts: Record<string, number>;
}

export function newHistory(): History {
  return { seen: new Map(), lists: [], ids: new Map(), marks: new Map(), counts: {} };
}

interface Response {
  readonly status: number;
  readonly text: string;
  readonly replayed: boolean;
}

const agent = new Agent({ keepAlive: true });

/** Undefined without a response; 'unsent' if it cannot have reached a replica. */
function sendRequest(
  port: number,
  key: string,
  [method, path]: Target,
  body?: string,
  headers: Record<string, string> = {},
): Promise<Response | 'unsent' | undefined> {
  const { promise, resolve } = Promise.withResolvers<Response | 'unsent' | undefined>();
  const all = {
    authorization: `Bearer ${key}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...headers,
  };
  send({ host: '127.0.0.1', port, method, path, agent, headers: all, timeout: 20_000 }, (res) => {
    const chunks: Buffer[] = [];
    res
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('error', () => resolve(undefined))
      .on('close', () => resolve(undefined))
      .on('end', () =>
        resolve({
          status: res.statusCode ?? 0,
          text: Buffer.concat(chunks).toString(),
          replayed: res.headers['idempotent-replayed'] === 'true',
        }),
      );
  })
    .on('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code === 'ECONNREFUSED' ? 'unsent' : undefined),
    )
    .on('timeout', function (this: { destroy(): void }) {
      this.destroy();
    })
    .end(body);
  return promise;
}

/** A response's name in the register's table. After a 503, the outcome is unknown. */
function nameOf({ status, text, replayed }: Response): string | undefined {
  if (status === 503) return undefined;
  if (status >= 400) return `${status} ${(JSON.parse(text) as { code: string }).code}`;
  return replayed ? `${status} replayed` : String(status);
}

export interface Client {
  list(): Promise<void>;
  get(id: number): Promise<void>;
  change(kind: Exclude<RequestKind, 'place' | 'get' | 'v1 list'>, id: number): Promise<void>;
  /** Places an order that is its own; with an idempotency key, again and again until it is known to be placed. */
  place(order: { petId: number; quantity: number }, idempotencyKey?: string): Promise<void>;
}

/** Sends each request to the replica at `port`, and writes down when, what for, and what came back. */
export function recordingClient(key: string, history: History, port: () => number): Client {
  const count = (name: string) => {
    history.counts[name] = (history.counts[name] ?? 0) + 1;
  };
  const record = (mark: Mark, seen: Seen) => {
    const all = history.seen.get(mark) ?? [];
    history.seen.set(mark, all);
    all.push(seen);
    count(`${seen.kind}: ${seen.response ?? 'unknown'}`);
  };
  const learn = (order: OrderBody) => {
    const mark = identityOf(order);
    history.marks.set(order.id, mark);
    const ids = history.ids.get(mark) ?? new Set();
    history.ids.set(mark, ids.add(order.id));
  };

  return {
    async list() {
      const start = performance.now();
      const response = await sendRequest(port(), key, ['GET', '/v1/store/orders']);
      const end = performance.now();
      if (response === undefined || response === 'unsent' || response.status === 503) return;
      const orders = (JSON.parse(response.text) as OrderBody[]).filter(isForOwnPet);
      for (const order of orders) learn(order);
      const complete = new Map(orders.map((order) => [identityOf(order), order.complete]));
      history.lists.push({ start, end, complete });
      count('v1 list: 200');
    },

    async get(id) {
      const start = performance.now();
      const response = await sendRequest(port(), key, ['GET', `/v2/store/orders/${id}`]);
      const end = performance.now();
      if (response === undefined || response === 'unsent' || response.status === 503) return;
      if (response.status === 200) learn(JSON.parse(response.text) as OrderBody);
      const state = response.status === 200 ? ` ${(JSON.parse(response.text) as OrderBody).status}` : '';
      record(history.marks.get(id) as Mark, {
        kind: 'get',
        start,
        end,
        response: `${nameOf(response)}${state}`,
      });
    },

    async change(kind, id) {
      const start = performance.now();
      const response = await sendRequest(port(), key, changePaths[kind](id));
      const end = performance.now();
      if (response === 'unsent') return;
      record(history.marks.get(id) as Mark, { kind, start, end, response: response && nameOf(response) });
    },

    async place(order, idempotencyKey) {
      const headers: Record<string, string> =
        idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
      for (;;) {
        const start = performance.now();
        const response = await sendRequest(
          port(),
          key,
          ['POST', '/v2/store/orders'],
          JSON.stringify(order),
          headers,
        );
        const end = performance.now();
        const name = response === undefined || response === 'unsent' ? undefined : nameOf(response);
        if (name?.startsWith('201')) learn(JSON.parse((response as Response).text) as OrderBody);
        const isUnderWay = name === '409 idempotency_key_in_use';
        if (response !== 'unsent' && !isUnderWay)
          record(identityOf(order), { kind: 'place', start, end, response: name });
        if ((name !== undefined && !isUnderWay) || idempotencyKey === undefined) return;
        await pause(50);
      }
    },
  };
}

type Target = readonly [method: string, path: string];

const changePaths = {
  'v1 cancel': (id: number): Target => ['DELETE', `/v1/store/orders/${id}`],
  'v2 cancel': (id: number): Target => ['DELETE', `/v2/store/orders/${id}`],
  ship: (id: number): Target => ['POST', `/v2/store/orders/${id}/ship`],
  deliver: (id: number): Target => ['POST', `/v2/store/orders/${id}/deliver`],
};
