import { closedLoop, expectOnly, type Measured } from '../load/closed-loop.ts';
import { LoadConnection, requestBytes } from '../load/connection.ts';
import type { Engine } from '../options.ts';
import { type Row, row } from '../row.ts';
import type { Context, Scenario } from '../scenario.ts';
import { median, ratios } from '../statistics.ts';
import { hasV2, startPetstore } from '../subjects/petstore.ts';

const RANGE = 'shipDateFrom=2021-03-01T00:00:00Z&shipDateTo=2025-09-01T00:00:00Z';
const filters = [
  'petId=3',
  `petId=7&complete=false&${RANGE}`,
  `status=cancelled&${RANGE}`,
  'petId=3&status=pending',
  '',
  'status=pending',
  'complete=true',
  'status=shipped,delivered',
  RANGE,
];
const sorts = ['id', '-id', 'shipDate', '-shipDate'];
/** The last filters find too many orders to follow all their pages in a quick run. */
const QUICK_FILTERS = 4;

/** In a quick run, filters and sorts in turn rather than each with each. */
function questions(quick: boolean): string[] {
  return filters
    .slice(0, quick ? QUICK_FILTERS : undefined)
    .flatMap((filter, index) =>
      (quick ? [sorts[index % sorts.length]] : sorts).map((sort) =>
        [filter, `sort=${sort}`].filter((part) => part !== '').join('&'),
      ),
    );
}

/** Requests whose median is one measurement of one page; fewer of slow ones, so that it ends. */
const REPEATS = 25;
const LEAST_REPEATS = 3;
const MOST_MS = 400;

export const pages: Scenario = {
  name: 'pages',
  barOn: 'each engine',
  title: 'any v2 page in a million orders',
  async run(context) {
    const rows: Row[] = [];
    for (const engine of context.options.engines) rows.push(...(await measure(context, engine)));
    return rows;
  },
};

async function measure({ options, data, progress }: Context, engine: Engine): Promise<Row[]> {
  const { place, large: key } = await data.stores(engine);
  const petstore = await startPetstore(place, key);
  const reader = await LoadConnection.open(petstore.port, { keep: true });
  const found: Array<{ question: string; first: number; worst: number[]; where: string }> = [];
  const many: Measured[] = [];
  try {
    if (!(await hasV2(petstore, key))) return [];
    for (const question of questions(options.quick)) {
      progress(`${engine}: walking ${question}`);
      const cursors = await walk(reader, key, question);
      progress(`${engine}: measuring ${question}`);
      const times = await timesOf(reader, options.rounds, {
        first: pageRequest(key, question, 50),
        middle: pageRequest(key, question, 50, cursors.middle),
        last: pageRequest(key, question, 50, cursors.last),
      });
      const middle = ratios(times.middle, times.first);
      const last = ratios(times.last, times.first);
      const isMiddle = median(middle) >= median(last);
      found.push({
        question,
        first: median(times.first),
        worst: isMiddle ? middle : last,
        where: isMiddle ? 'middle' : 'end',
      });
    }
    progress(`${engine}: many at a time`);
    const request = pageRequest(key, 'sort=id', 50);
    const { quick, seconds } = options;
    const rounds = quick ? 0 : options.rounds;
    for (let round = 0; round < rounds; round++) {
      const load = { port: petstore.port, connections: 64, seconds, next: () => request };
      many.push(expectOnly(await closedLoop(load), 200));
    }
  } finally {
    reader.close();
    await petstore.stop();
  }
  const worst = found.reduce((a, b) => (median(b.worst) > median(a.worst) ? b : a));
  const slowest = found.reduce((a, b) => (b.first > a.first ? b : a));
  const quickest = found.reduce((a, b) => (b.first < a.first ? b : a));
  return [
    row(
      {
        scenario: 'pages',
        engine,
        what: 'worst page of v2, of the first page',
        unit: '×',
        figures: { questions: found.length, firstMs: worst.first },
        note: `page from the ${worst.where} of ${worst.question}`,
      },
      worst.worst,
      { atMost: 1.3 },
    ),
    ...(many.length === 0
      ? []
      : [
          row(
            {
              scenario: 'pages',
              engine,
              what: 'pages of 50, 64 connections',
              unit: '/s',
              figures: {
                p50Ms: median(many.map(({ p50 }) => p50)),
                p99Ms: median(many.map(({ p99 }) => p99)),
              },
            },
            many.map(({ rate }) => rate),
          ),
        ]),
    row(
      {
        scenario: 'pages',
        engine,
        what: 'slowest first page of v2, of the quickest',
        unit: '×',
        figures: { slowestMs: slowest.first, quickestMs: quickest.first },
        note: slowest.question,
      },
      [slowest.first / quickest.first],
    ),
  ];
}

type Places<T> = Record<'first' | 'middle' | 'last', T>;

/** How long each page takes, asked for in turn, request by request: what the machine does besides, it does to all. */
async function timesOf(
  reader: LoadConnection,
  rounds: number,
  requests: Places<Buffer>,
): Promise<Places<number[]>> {
  const medians: Places<number[]> = { first: [], middle: [], last: [] };
  // The first round only warms up.
  for (let round = 0; round <= rounds; round++) {
    const times: Places<number[]> = { first: [], middle: [], last: [] };
    const until = performance.now() + MOST_MS;
    for (let turn = 0; turn < LEAST_REPEATS || (turn < REPEATS && performance.now() < until); turn++) {
      for (const place of ['first', 'middle', 'last'] as const) {
        times[place].push((await reader.request(requests[place])).total);
      }
    }
    for (const place of ['first', 'middle', 'last'] as const) {
      if (round > 0) medians[place].push(median(times[place]));
    }
  }
  return medians;
}

function pageRequest(key: string, question: string, limit: number, cursor?: string): Buffer {
  const from = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
  return requestBytes('GET', `/v2/store/orders?${question}&limit=${limit}${from}`, { key });
}

/** Follows the pages to the end; answers with the cursors of one in the middle and of the last. */
async function walk(reader: LoadConnection, key: string, question: string) {
  const cursors: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const { status, body } = await reader.request(pageRequest(key, question, 1000, cursor));
    if (status !== 200) throw new Error(`${question} answered ${status}: ${body}`);
    // The cursor stands behind the orders, which need not be parsed.
    const next = /"nextCursor":(null|"[^"]*")\}\s*$/.exec(body.subarray(-2000).toString('latin1'))?.[1];
    if (next === undefined) throw new Error(`no cursor in ${body.subarray(-200).toString('latin1')}`);
    if (next === 'null') break;
    cursor = JSON.parse(next) as string;
    cursors.push(cursor);
  }
  return { middle: cursors[cursors.length >> 1], last: cursors.at(-1) };
}
