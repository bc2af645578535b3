import { mkdirSync, writeFileSync } from 'node:fs';
import { requestBytes } from '../load/connection.ts';
import { folder, type Running } from '../processes.ts';
import { median } from '../statistics.ts';
import { seed, startPetstore } from '../subjects/petstore.ts';
import { type Line, lineChart } from './line-chart.ts';
import { costOf, megabytesOf, round, table, warmUp } from './measure.ts';
import { openStores } from './open-stores.ts';
import { fillShelf, placing } from './placing.ts';

const ORDERS = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000];
const STORES = [1, 10, 100, 1_000, 10_000, 100_000];
/** Orders of the store that is asked where the number of stores grows. */
const FEW = 113;
const ROUNDS = 3;
/** Requests of one measurement. */
const COUNTS = { list: 6_000, same: 6_000, page: 2_500, place: 1_500, cancel: 1_500 };
/** Bytes of lists are what costs: fewer of the long ones tell as much. */
const MOST_LISTED = 10_000_000;

const columns = ['list', '304', 'page of 50', 'place', 'cancel', 'start', 'memory'] as const;
const units = ['µs', 'µs', 'µs', 'µs', 'µs', 'ms', 'MB'];

type Data = { engine: 'sqlite'; data: string };
interface Subject {
  readonly size: number;
  readonly orders: number;
  readonly place: Data;
  readonly key: string;
}

/** What requests cost as one store grows. */
export async function growthOfOrders(): Promise<void> {
  const subjects: Subject[] = [];
  for (const size of ORDERS) {
    const place: Data = { engine: 'sqlite', data: folder(`orders-${size}`) };
    subjects.push({ size, orders: size, place, key: await seed(place, size) });
  }
  show('orders in the store', ORDERS, await measureAll(subjects), 'growth-orders.svg');
}

/** What requests to one store cost as others become many. */
export async function growthOfStores(): Promise<void> {
  const subjects: Subject[] = [];
  for (const size of STORES) {
    const place: Data = { engine: 'sqlite', data: folder(`stores-${size}`) };
    const key = await seed(place, FEW);
    await openStores(place, size - 1);
    subjects.push({ size, orders: FEW, place, key });
  }
  show('stores in the database', STORES, await measureAll(subjects), 'growth-stores.svg');
}

/** All sizes in turn, again and again: what the machine does besides falls on all of them alike. */
async function measureAll(subjects: readonly Subject[]): Promise<number[][]> {
  const starts = await inTurn(subjects, async (subject) => {
    const petstore = await start(subject);
    await petstore.stop();
    return [petstore.readyAfter];
  });
  const running = new Map<Subject, Running>();
  for (const subject of subjects) running.set(subject, await start(subject));
  const of = (subject: Subject) => running.get(subject) as Running;
  const reads = await inTurn(subjects, (subject) => readCosts(of(subject), subject));
  const memory = subjects.map((subject) => [megabytesOf(of(subject).pid)]);
  // What is placed and cancelled is in no list of v1, but in pages: these come first.
  const writes = await inTurn(subjects, (subject) => writeCosts(of(subject), subject));
  for (const { stop } of running.values()) await stop();
  return subjects.map((_, i) => [reads, writes, starts, memory].flatMap((each) => each[i] ?? []));
}

async function inTurn(
  subjects: readonly Subject[],
  measure: (subject: Subject) => Promise<number[]>,
): Promise<number[][]> {
  const measured = subjects.map(() => [] as number[][]);
  for (let turn = 0; turn < ROUNDS; turn++) {
    for (const [i, subject] of subjects.entries()) measured[i]?.push(await measure(subject));
  }
  return measured.map((turns) => (turns[0] ?? []).map((_, at) => median(turns.map((turn) => turn[at] ?? 0))));
}

const start = ({ place, key }: Subject) => startPetstore(place, key, { flags: ['--max-orders', 'none'] });

async function readCosts({ pid, port }: Running, { key, orders }: Subject): Promise<number[]> {
  const get = async (count: number, path: string, expected = 200) => {
    const request = requestBytes('GET', path, {
      headers: { Authorization: `Bearer ${key}`, ...(expected === 304 && { 'If-None-Match': '*' }) },
    });
    return (await costOf(port, [[pid]], count, () => request, { expected })).cpu[0] ?? 0;
  };
  return [
    await get(Math.min(COUNTS.list, Math.ceil(MOST_LISTED / orders)), '/v1/store/orders'),
    await get(COUNTS.same, '/v1/store/orders', 304),
    await get(COUNTS.page, '/v2/store/orders?limit=50&sort=-id'),
  ];
}

/** Cancels what it places. */
async function writeCosts({ pid, port }: Running, { key }: Subject): Promise<number[]> {
  const cost = async (count: number, request: (sent: number) => Buffer, expected: number) =>
    (await costOf(port, [[pid]], count, (_, sent) => request(sent), { expected })).cpu[0] ?? 0;
  const before = await fillShelf(port, key);
  const place = await cost(COUNTS.place, () => placing(key), 201);
  const remaining = before + COUNTS.place + warmUp(COUNTS.place);
  const cancel = await cost(
    COUNTS.cancel,
    (sent) => requestBytes('DELETE', `/v2/store/orders/${remaining - sent}`, { key }),
    204,
  );
  return [place, cancel];
}

function show(what: string, sizes: readonly number[], rows: readonly number[][], chart: string): void {
  table(
    [what, ...columns],
    rows.map((row, i) => [
      (sizes[i] ?? 0).toLocaleString('en'),
      ...row.map((value, at) => `${round(value)} ${units[at]}`),
    ]),
  );
  const lines: Line[] = columns.map((label, at) => ({
    label: `${label}, ${units[at]}`,
    values: rows.map((row) => row[at] ?? 0),
  }));
  table(
    ['', 'the largest of the smallest', 'for each more'],
    lines.map((line) => slopeOf(line, sizes)),
  );
  const folder = new URL('../../../docs/charts/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL(chart, folder), lineChart(`What grows with the ${what}`, sizes, lines));
}

/** How much more the greatest size takes than the smallest, and what that is for each order or store between them. */
function slopeOf({ label, values }: Line, sizes: readonly number[]): string[] {
  const [first = 0, last = 0] = [values[0], values.at(-1)];
  const each = (last - first) / ((sizes.at(-1) ?? 0) - (sizes[0] ?? 0));
  return [label, `${(last / first).toFixed(2)} ×`, each.toPrecision(2)];
}
