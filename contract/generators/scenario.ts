import { stripVTControlCharacters } from 'node:util';
import { parseJson, writeJson } from '../../client/src/index.ts';
import { type PetStore, startPetStore } from '../../testing/src/index.ts';

/** An id that a double cannot hold: 2^53 + 1. */
const GREAT_ID = '9007199254740993';

/** Output of every program with a working client: a word and the result of each step. */
const expected = {
  list: '15',
  pages: '40',
  place: 'pending',
  replay: 'same',
  get: 'pending',
  cancel: 'cancelled',
  conflict: '409 order_already_cancelled',
  unchanged: '304',
  great: GREAT_ID,
  events: 'store.reset pet.changed order.placed',
  webhook: `order.placed ${GREAT_ID}`,
};

const version2 = ({ url }: PetStore) => url.replace(/\/v1$/, '/v2');

/** Two stores and the variables that a program gets: one with the demonstration data, one with large ids. */
export async function openStores() {
  const store = await startPetStore();
  const great = await startPetStore();
  const { client } = great;
  await client.sandbox.reset({ dataSet: 'int64' });
  await client.pets.change(GREAT_ID, { stock: 5 });
  await client.orders.place({ petId: GREAT_ID, quantity: 1 });
  const headers = { authorization: `Bearer ${great.key}` };
  const get = (path: string) => fetch(`${version2(great)}/store/${path}`, { headers });
  const events = parseJson(await (await get('events?after=0')).text()) as { data: unknown[] };
  const env = {
    URL: version2(store),
    KEY: store.key,
    GREAT_URL: version2(great),
    GREAT_KEY: great.key,
    GREAT_ID,
    ETAG: (await get('orders/1')).headers.get('etag') ?? '',
    MESSAGE: writeJson(events.data.at(-1)) ?? '',
  };
  const close = async () => {
    await store.close();
    await great.close();
  };
  return { env, [Symbol.asyncDispose]: close };
}

export interface Seen {
  /** What was not as expected, but for rounded ids. */
  readonly wrong: readonly string[];
  readonly exact: boolean;
}

/** Compares a program's output with the expected results. */
export function judge(printed: string): Seen {
  // Some tools reset the colour of the terminal first.
  const plain = stripVTControlCharacters(printed);
  const lines = new Map(plain.split('\n').map((line) => [line.split(' ')[0], line.replace(/^\S+ ?/, '')]));
  const rounded = String(Number(GREAT_ID));
  const same = (name: string, value: string) => lines.get(name) === value;
  const wrong = Object.entries(expected).flatMap(([name, value]) =>
    same(name, value) || same(name, value.replace(GREAT_ID, rounded))
      ? []
      : `\`${name}\`: ${lines.get(name)}`,
  );
  return { wrong, exact: same('great', expected.great) && same('webhook', expected.webhook) };
}
