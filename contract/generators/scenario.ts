import { stripVTControlCharacters } from 'node:util';
import { parseJson, writeJson } from '../../client/src/index.ts';
import { type PetStore, startPetStore } from '../../testing/src/index.ts';

/** An id that a double cannot hold: 2^53 + 1. */
const LARGE_ID = '9007199254740993';

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
  large: LARGE_ID,
  events: 'store.reset pet.changed order.placed',
  webhook: `order.placed ${LARGE_ID}`,
};

const version2 = ({ url }: PetStore) => url.replace(/\/v1$/, '/v2');

/** Opens two stores, one with the demonstration data and one with large ids; a program receives `env`. */
export async function openStores() {
  const store = await startPetStore();
  const large = await startPetStore();
  const { client } = large;
  await client.sandbox.reset({ dataSet: 'int64' });
  await client.pets.change(LARGE_ID, { stock: 5 });
  await client.orders.place({ petId: LARGE_ID, quantity: 1 });
  const headers = { authorization: `Bearer ${large.key}` };
  const get = (path: string) => fetch(`${version2(large)}/store/${path}`, { headers });
  const events = parseJson(await (await get('events?after=0')).text()) as { data: unknown[] };
  const env = {
    URL: version2(store),
    KEY: store.key,
    LARGE_URL: version2(large),
    LARGE_KEY: large.key,
    LARGE_ID,
    ETAG: (await get('orders/1')).headers.get('etag') ?? '',
    MESSAGE: writeJson(events.data.at(-1)) ?? '',
  };
  const close = async () => {
    await store.close();
    await large.close();
  };
  return { env, [Symbol.asyncDispose]: close };
}

export interface Judgement {
  /** Steps with unexpected results, except for rounded ids. */
  readonly wrong: readonly string[];
  readonly exact: boolean;
}

/** Compares a program's output with the expected results. */
export function judge(printed: string): Judgement {
  // Some tools reset the colour of the terminal first.
  const plain = stripVTControlCharacters(printed);
  const lines = new Map(plain.split('\n').map((line) => [line.split(' ')[0], line.replace(/^\S+ ?/, '')]));
  const rounded = String(Number(LARGE_ID));
  const same = (name: string, value: string) => lines.get(name) === value;
  const wrong = Object.entries(expected).flatMap(([name, value]) =>
    same(name, value) || same(name, value.replace(LARGE_ID, rounded))
      ? []
      : `\`${name}\`: ${lines.get(name)}`,
  );
  return { wrong, exact: same('large', expected.large) && same('webhook', expected.webhook) };
}
