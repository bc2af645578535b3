import { Agent, type OutgoingHttpHeaders } from 'node:http';
import type { OrderStatus } from '../../src/domain/vocabulary.ts';
import { checkAgainstContract } from './contract.ts';
import { exchange, type Response as Received } from './http.ts';
import type { Order as V1Order } from './orders.ts';
import type { TestService, TestStore } from './service.ts';

export interface Order extends V1Order {
  status: OrderStatus;
  placedAt: string;
  updatedAt: string;
}

export interface Pet {
  id: bigint;
  name: string;
  category: string;
  status: 'available' | 'sold';
  stock: bigint;
}

export interface Page<T> {
  data: T[];
  nextCursor: string | null;
}

interface ErrorBody {
  code: string;
  message: string;
  status: bigint;
}

export interface Response extends Received {
  error(): ErrorBody;
}

export interface Sent {
  /** Sent unchanged; an object is sent as JSON, with its type. */
  readonly body?: string | Buffer | object;
  readonly headers?: OutgoingHttpHeaders;
  readonly key?: string;
}

/** A client of one store. Every response is validated against the document of its version. */
export type Client = (request: string, sent?: Sent) => Promise<Response>;

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** Headers that only some responses have, though all document them: checked as if present. */
const optionalHeaders = { link: '', 'idempotent-replayed': '' };

export function clientOf({ port }: { readonly port: number }, { key }: { readonly key: string }): Client {
  return async (request, sent = {}) => {
    const [method = '', target = ''] = split(request);
    const response = await sendTo(port, method, target, { key, ...sent });
    checkAgainstContract(method, target, {
      ...response,
      headers: { ...optionalHeaders, ...response.headers },
    });
    return response;
  };
}

/** A client of a new store. */
export async function openClient(service: TestService): Promise<{ store: TestStore; client: Client }> {
  const store = await service.openStore();
  return { store, client: clientOf(service, store) };
}

function split(request: string): [string, string] {
  const space = request.indexOf(' ');
  return [request.slice(0, space), request.slice(space + 1)];
}

async function sendTo(
  port: number,
  method: string,
  path: string,
  { key, headers, body }: Sent,
): Promise<Response> {
  const bytes = typeof body === 'object' && !Buffer.isBuffer(body) ? writeJson(body) : body;
  const all: OutgoingHttpHeaders = { authorization: `Bearer ${key}` };
  if (bytes !== undefined) {
    all['content-type'] = 'application/json';
    all['content-length'] = Buffer.byteLength(bytes);
  }
  const response = await exchange(port, agent, method, path, withoutUndefined({ ...all, ...headers }), bytes);
  return { ...response, error: () => response.json<ErrorBody>() };
}

/** A header given as undefined is not sent. */
function withoutUndefined(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
}

/** JSON with bigints as integers. */
function writeJson(value: object): string {
  const rawJson = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON;
  return JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? rawJson(String(part)) : part));
}

/** All rows of a list, page by page. */
export async function walk<T>(
  client: Client,
  path: string,
  query: Record<string, string> = {},
): Promise<T[]> {
  const rows: T[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: Page<T> = (
      await client(`GET ${path}?${new URLSearchParams(cursor ? { ...query, cursor } : query)}`)
    ).json<Page<T>>();
    rows.push(...page.data);
    cursor = page.nextCursor;
  }
  return rows;
}

export const allOrders = (client: Client) => walk<Order>(client, '/v2/store/orders', { limit: '1000' });
export const allPets = (client: Client) => walk<Pet>(client, '/v2/pets', { limit: '1000' });

/** Units in stock and in open orders, per pet: no order may change the sum. */
export async function unitsOf(client: Client): Promise<Map<bigint, bigint>> {
  const units = new Map((await allPets(client)).map(({ id, stock }) => [id, stock]));
  for (const { petId, quantity, status } of await allOrders(client)) {
    if (status !== 'cancelled') units.set(petId, (units.get(petId) ?? 0n) + quantity);
  }
  return units;
}

/** Changes whenever anything in the store does. */
export async function etagOf(client: Client): Promise<string> {
  return (await client('GET /v2/pets?limit=1')).headers.etag as string;
}
