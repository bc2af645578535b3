import { requestBytes, send } from '../load/connection.ts';
import { rateOf } from '../load/rate.ts';
import { type Row, row } from '../row.ts';
import type { Context, Scenario } from '../scenario.ts';
import { interleave, median, ratios, shortRounds } from '../statistics.ts';
import { startBare } from '../subjects/bare.ts';
import { startPetstore } from '../subjects/petstore.ts';

interface Question {
  readonly what: string;
  readonly path: string;
  readonly atLeast: number;
  /** With the `ETag` that the first answer brought. */
  readonly revalidates?: boolean;
  /** Flags of the service, such as a limit that is never reached. */
  readonly flags?: readonly string[];
}

const LIST = '/v1/store/orders';
const limited = ['--rate-limit', '1000000000'];

const questions: readonly Question[] = [
  { what: 'list of 100 with --rate-limit', path: LIST, atLeast: 0.7, flags: limited },
  { what: '304 with --rate-limit', path: LIST, atLeast: 0.7, flags: limited, revalidates: true },
  { what: 'GET /v1/pets', path: '/v1/pets', atLeast: 0.6 },
  { what: 'GET /v1/pets/{petId}', path: '/v1/pets/1', atLeast: 0.6 },
  { what: 'GET /v2/store/orders/{orderId}', path: '/v2/store/orders/1', atLeast: 0.6 },
];

export const smallAnswers: Scenario = {
  name: 'small-answers',
  title: 'answers of one row or a short list, 64 connections',
  async run(context) {
    const rows: Row[] = [];
    for (const engine of context.options.engines) {
      for (const question of questions) rows.push(await measure(context, engine, question));
    }
    return rows;
  },
};

async function measure(
  { options, data, progress }: Context,
  engine: 'sqlite' | 'postgres',
  { what, path, atLeast, revalidates = false, flags = [] }: Question,
): Promise<Row> {
  const stores = await data.stores(engine);
  const petstore = await startPetstore(stores.place, stores.small, { flags });
  const first = await send(petstore.port, requestBytes('GET', path, { key: stores.small }));
  const etag = /\r\netag: (.+)\r\n/i.exec(first.head)?.[1] ?? '';
  const headers = {
    Authorization: `Bearer ${stores.small}`,
    ...(revalidates && { 'If-None-Match': etag }),
  };
  const answer = await send(petstore.port, requestBytes('GET', path, { headers }));
  const expected = revalidates ? 304 : 200;
  if (answer.status !== expected) throw new Error(`${what}: expected ${expected}, not ${answer.status}`);
  const bare = await startBare(answer);
  const rates = await interleave(shortRounds(options), {
    petstore: (seconds) => {
      progress(`${engine}: ${what}`);
      return rateOf({ path, headers, expected, port: petstore.port }, seconds);
    },
    bare: (seconds) => {
      progress(`${engine}: bare`);
      return rateOf({ path, headers, expected, port: bare.port }, seconds);
    },
  });
  await Promise.all([petstore.stop(), bare.stop()]);
  const figures = { petstore: median(rates.petstore), bare: median(rates.bare) };
  return row(
    { scenario: 'small-answers', engine, what: `${what}, of bare node:http`, unit: '×', figures },
    ratios(rates.petstore, rates.bare),
    engine === 'sqlite' ? { atLeast } : undefined,
  );
}
