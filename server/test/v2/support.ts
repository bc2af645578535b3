import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request as send } from 'node:http';
import type { OrderStatus } from '../../src/orders/states.ts';
import { checkAgainstContract } from '../support/contract.ts';
import type { TestService, TestStore } from '../support/service.ts';

export interface Order {
  id: bigint;
  petId: bigint;
  quantity: bigint;
  shipDate: string;
  complete: boolean;
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

export interface ErrorBody {
  code: string;
  message: string;
  status: bigint;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body with every integer as an exact bigint. */
  json<T>(): T;
  error(): ErrorBody;
}

export interface Sent {
  /** Sent as it is; an object is written as JSON, with its type. */
  readonly body?: string | Buffer | object;
  readonly headers?: OutgoingHttpHeaders;
  readonly key?: string;
}

/** One client of one store. Every answer is checked against the document of its version on its way. */
export type Client = (request: string, sent?: Sent) => Promise<Answer>;

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** Headers that a documented answer only sometimes has. */
const sometimes = { link: '', 'idempotent-replayed': '' };

export function clientOf({ port }: { readonly port: number }, { key }: { readonly key: string }): Client {
  return async (request, sent = {}) => {
    const [method = '', target = ''] = split(request);
    const answer = await exchange(port, method, target, { key, ...sent });
    checkAgainstContract(method, target, { ...answer, headers: { ...sometimes, ...answer.headers } });
    return answer;
  };
}

/** A client of a store of its own. */
export async function openClient(service: TestService): Promise<{ store: TestStore; client: Client }> {
  const store = await service.openStore();
  return { store, client: clientOf(service, store) };
}

function split(request: string): [string, string] {
  const space = request.indexOf(' ');
  return [request.slice(0, space), request.slice(space + 1)];
}

function exchange(port: number, method: string, path: string, { key, headers, body }: Sent): Promise<Answer> {
  const bytes = typeof body === 'object' && !Buffer.isBuffer(body) ? writeJson(body) : body;
  const all: OutgoingHttpHeaders = { authorization: `Bearer ${key}` };
  if (bytes !== undefined) {
    all['content-type'] = 'application/json';
    all['content-length'] = Buffer.byteLength(bytes);
  }
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const request = send(
    { host: '127.0.0.1', port, agent, method, path, headers: withoutNull({ ...all, ...headers }) },
    (response) => {
      const chunks: Buffer[] = [];
      response
        .on('data', (chunk) => chunks.push(chunk))
        .on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const json = <T>() => parseExact(text) as T;
          const { statusCode: status = 0, headers } = response;
          resolve({ status, headers, text, json, error: () => json<ErrorBody>() });
        })
        .on('error', reject);
    },
  );
  request.on('error', reject).end(bytes);
  return promise;
}

/** A header given as undefined is not sent at all. */
function withoutNull(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
}

const parseWithSource = JSON.parse as (
  text: string,
  reviver: (key: string, value: unknown, context: { source: string }) => unknown,
) => unknown;

function parseExact(text: string): unknown {
  return parseWithSource(text, (_, value, { source }) =>
    typeof value === 'number' && /^-?\d+$/.test(source) ? BigInt(source) : value,
  );
}

/** JSON with a bigint written as the integer it is. */
export function writeJson(value: object): string {
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

/** Units in stock and in orders that are not cancelled, per pet: what no order may change. */
export async function unitsOf(client: Client): Promise<Map<bigint, bigint>> {
  const units = new Map((await allPets(client)).map(({ id, stock }) => [id, stock]));
  for (const { petId, quantity, status } of await allOrders(client)) {
    if (status !== 'cancelled') units.set(petId, (units.get(petId) ?? 0n) + quantity);
  }
  return units;
}

/** What tells whether anything in the store changed. */
export async function etagOf(client: Client): Promise<string> {
  return (await client('GET /v2/pets?limit=1')).headers.etag as string;
}
