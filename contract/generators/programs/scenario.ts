interface Order {
  readonly id: number;
  readonly status?: string;
}

/** The steps that each TypeScript client implements. */
export interface Calls {
  list(cursor?: string): Promise<{ data: readonly Order[]; nextCursor: string | null }>;
  place(idempotencyKey: string): Promise<Order>;
  get(orderId: number): Promise<Order>;
  /** Its status, and the code of an error. */
  cancel(orderId: number): Promise<readonly [status: number | undefined, code?: string | undefined]>;
  /** This and the next two read the store with large ids. */
  statusIfChanged(etag: string): Promise<number | undefined>;
  /** Gets the id as a string of digits, whatever its type: a number would be rounded. */
  getLarge(orderId: number): Promise<{ id: number | bigint }>;
  events(): Promise<readonly { type: string }[]>;
  /** A webhook's body. */
  read(text: string): { type: string; data: object };
}

export const { URL: url = '', KEY: key, LARGE_URL: largeUrl = '', LARGE_KEY: largeKey } = process.env;
export const headers = { authorization: `Bearer ${key}` };
export const largeHeaders = { authorization: `Bearer ${largeKey}` };

export async function runScenario(calls: Calls): Promise<void> {
  const { ETAG = '', LARGE_ID, MESSAGE = '' } = process.env;
  const say = (...words: unknown[]) => console.log(words.join(' '));
  let page = await calls.list();
  say('list', page.data.length);
  const seen = new Set(page.data.map(({ id }) => id));
  while (page.nextCursor !== null) {
    page = await calls.list(page.nextCursor);
    for (const { id } of page.data) seen.add(id);
  }
  say('pages', seen.size);
  const placed = await calls.place('generated');
  say('place', placed.status);
  say('replay', (await calls.place('generated')).id === placed.id ? 'same' : 'another');
  say('get', (await calls.get(placed.id)).status);
  await calls.cancel(placed.id);
  say('cancel', (await calls.get(placed.id)).status);
  say('conflict', ...(await calls.cancel(placed.id)));
  say('unchanged', await calls.statusIfChanged(ETAG));
  say('large', (await calls.getLarge(LARGE_ID as unknown as number)).id);
  say('events', ...(await calls.events()).map(({ type }) => type));
  const { type, data } = calls.read(MESSAGE);
  say('webhook', type, 'petId' in data ? data.petId : undefined);
}

export function some<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('there is no response');
  return value;
}
