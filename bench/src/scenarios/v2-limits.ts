import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { largeStoreId } from '../data.ts';
import { requestBytes, send } from '../load/connection.ts';
import { rateOf, type Target } from '../load/rate.ts';
import type { Engine } from '../options.ts';
import { folder, freePort, type Running, startServer } from '../processes.ts';
import { type Row, row } from '../row.ts';
import type { Context, Scenario } from '../scenario.ts';
import { interleave, median, ratios } from '../statistics.ts';
import { headersOf } from '../subjects/bare.ts';
import { databaseFile, type Place, startPetstore } from '../subjects/petstore.ts';

const LIMIT = 50;
const ORDERS = '/v2/store/orders';
const filters = { '': '', ', filtered': 'petId=3&status=pending,shipped&' };
const sorts = ['id', '-id', 'shipDate', '-shipDate'];

interface Question {
  readonly what: string;
  readonly path: string;
  readonly atLeast: number;
}

const pages: readonly Question[] = Object.entries(filters).flatMap(([name, filter]) =>
  sorts.map((sort) => ({
    what: `v2 page of ${LIMIT} by ${sort}${name}`,
    path: `${ORDERS}?${filter}sort=${sort}`,
    atLeast: 0.8,
  })),
);
const others: readonly Question[] = [
  { what: 'v2 order by id', path: `${ORDERS}/1`, atLeast: 0.6 },
  { what: 'v2 pets', path: '/v2/pets', atLeast: 0.6 },
];

export const v2Limits: Scenario = {
  name: 'v2-limits',
  barOn: 'each engine',
  title: 'answers of v2 from a million orders, of bare node:http with the same SQL by the bare driver',
  async run(context) {
    const rows: Row[] = [];
    for (const engine of context.options.engines) rows.push(...(await measure(context, engine)));
    return rows;
  },
};

async function measure({ options, data, progress }: Context, engine: Engine): Promise<Row[]> {
  // A quick run asks for the first page, and for the last with a filter.
  const questions = options.quick
    ? [...pages.slice(0, 1), ...pages.slice(-1), ...others.slice(0, 1)]
    : [...pages, ...others];
  const { place, large: key } = await data.stores(engine);
  const petstore = await startPetstore(place, key);
  const first = await send(petstore.port, requestBytes('GET', ORDERS, { key }));
  const limit = await startLimit(place, {
    headers: headersOf(first).filter(([name]) => !/^(content-length|link)$/i.test(String(name))),
    paths: questions.map(({ path }) => path),
  });
  const rounds = { rounds: options.rounds, seconds: Math.min(options.seconds, 1) };
  const authorization = { Authorization: `Bearer ${key}` };
  const compare = async (ours: Omit<Target, 'port'>, theirs: Target) =>
    interleave(rounds, {
      petstore: (seconds) => rateOf({ ...ours, port: petstore.port }, seconds),
      limit: (seconds) => rateOf(theirs, seconds),
    });
  const rows: Row[] = [];
  const add = (
    what: string,
    rates: { petstore: number[]; limit: number[] },
    bar: { atLeast: number },
    name: string,
  ) => {
    const figures = { petstore: median(rates.petstore), [name]: median(rates.limit) };
    rows.push(
      row(
        { scenario: 'v2-limits', engine, what, unit: '×', figures },
        ratios(rates.petstore, rates.limit),
        bar,
      ),
    );
  };
  try {
    for (const { what, path, atLeast } of questions) {
      progress(`${engine}: ${what}`);
      const target = { path, headers: authorization, expected: 200 };
      await requireSameRows(petstore, limit, path, key);
      const rates = await compare(target, { ...target, port: limit.port });
      add(`${what}, of the same SQL by the bare driver`, rates, { atLeast }, 'bare');
    }
    progress(`${engine}: 304`);
    const etag = /\r\netag: (.+)\r\n/i.exec(first.head)?.[1] ?? '';
    const headers = { ...authorization, 'If-None-Match': etag };
    const rates = await compare(
      { path: ORDERS, headers, expected: 304 },
      { path: '/v1/store/orders', headers, expected: 304, port: petstore.port },
    );
    add('v2 page with If-None-Match, of the 304 of v1', rates, { atLeast: 0.8 }, 'v1');
  } finally {
    await Promise.all([petstore.stop(), limit.stop()]);
  }
  return rows;
}

/** What is compared must be the same. */
async function requireSameRows(petstore: Running, limit: Running, path: string, key: string): Promise<void> {
  const bodies = await Promise.all(
    [petstore, limit].map(async ({ port }) => {
      const { body } = await send(port, requestBytes('GET', path, { key }));
      const { nextCursor: _, ...rest } = JSON.parse(body.toString()) as Record<string, unknown>;
      return JSON.stringify(rest);
    }),
  );
  if (bodies[0] !== bodies[1]) throw new Error(`${path}: the limit answers otherwise`);
}

async function startLimit(
  place: Place,
  { headers, paths }: { headers: readonly string[][]; paths: readonly string[] },
): Promise<Running> {
  const port = await freePort();
  const file = join(folder('queries'), 'queries.json');
  const where = place.engine === 'sqlite' ? databaseFile(place) : place.url;
  const storeId = String(await largeStoreId(place));
  writeFileSync(
    file,
    JSON.stringify({ engine: place.engine, where, storeId, headers: headers.flat(), limit: LIMIT, paths }),
  );
  return startServer('limit', {
    command: process.execPath,
    args: [fileURLToPath(new URL('../subjects/bare-queries-server.ts', import.meta.url)), file, String(port)],
    port,
    ready: requestBytes('GET', paths[0] ?? '/'),
  });
}
