import { LARGE, pendingOrders, scattered } from '../data.ts';
import { LoadConnection, requestBytes, send, type WholeAnswer } from '../load/connection.ts';
import type { Engine } from '../options.ts';
import { memoryOf, type Running, watchMemory } from '../processes.ts';
import { type Row, row } from '../row.ts';
import type { Context, Scenario } from '../scenario.ts';
import { interleave, median, ratios } from '../statistics.ts';
import { startBare } from '../subjects/bare.ts';
import { startPetstore } from '../subjects/petstore.ts';

const PATH = '/v1/store/orders';
const READERS = 16;
const MEGABYTE = 1024 * 1024;

export const largeList: Scenario = {
  name: 'large',
  title: 'listOrders, 1,000,000 orders, after one change each time',
  async run(context) {
    const rows: Row[] = [];
    for (const engine of context.options.engines) rows.push(...(await measure(context, engine)));
    return rows;
  },
};

async function measure({ options, data, progress }: Context, engine: Engine): Promise<Row[]> {
  const stores = await data.copy(await data.stores(engine));
  const ids = scattered((await pendingOrders(stores.place)).ids);
  const key = stores.large;
  progress(`${engine}: starting`);
  const petstore = await startPetstore(stores.place, key);
  const change = async () => {
    const cancel = requestBytes('DELETE', `${PATH}/${ids.pop()}`, { key });
    const { status } = await send(petstore.port, cancel);
    if (status !== 204) throw new Error(`cancelOrder answered ${status}`);
  };
  // It has listed and written before: what is counted below is the large list alone.
  await send(petstore.port, requestBytes('GET', PATH, { key: stores.small }));
  await change();
  const idle = memoryOf(petstore.pid);
  const whole = await send(petstore.port, requestBytes('GET', PATH, { key }));
  checkLength(whole);
  const bare = await startBare(whole);

  // Each takes a moment, so that they can be many.
  const times = await interleave(
    { ...options, rounds: 5 * options.rounds },
    {
      petstore: async () => {
        progress(`${engine}: petstore`);
        await change();
        return fetchList(petstore, key);
      },
      bare: async () => {
        progress(`${engine}: bare`);
        return fetchList(bare, key);
      },
    },
  );

  progress(`${engine}: ${READERS} readers`);
  const peak = watchMemory(petstore.pid);
  for (let turn = 0; turn < 3; turn++) {
    await change();
    await readTogether(petstore, key);
  }
  const growth = (peak() - idle) / whole.body.length;
  await Promise.all([petstore.stop(), bare.stop()]);

  const totals = { petstore: times.petstore.map((t) => t.total), bare: times.bare.map((t) => t.total) };
  const shared = { scenario: 'large', engine };
  const size = whole.body.length / MEGABYTE;
  return [
    row(
      {
        ...shared,
        what: 'list of a million, of bare node:http',
        unit: '×',
        figures: {
          bodyMegabytes: size,
          petstoreMs: median(totals.petstore),
          bareMs: median(totals.bare),
        },
      },
      ratios(totals.bare, totals.petstore),
      { atLeast: 0.6 },
    ),
    row(
      { ...shared, what: 'list of a million, first byte', unit: 'ms' },
      times.petstore.map((time) => time.firstByte),
      { atMost: 50 },
    ),
    row(
      {
        ...shared,
        what: `memory with ${READERS} readers, of the body`,
        unit: '×',
        figures: { idleMegabytes: idle / MEGABYTE, bodyMegabytes: size },
        note: 'half of the readers stop reading until the others are done',
      },
      [growth],
      { atMost: 1.5 },
    ),
  ];
}

function checkLength({ body }: WholeAnswer): void {
  const orders = body.toString('latin1').split('},{').length;
  if (Math.abs(orders - LARGE.listed) > LARGE.listed / 100) throw new Error(`the list has ${orders} orders`);
}

async function fetchList({ port }: Running, key: string): Promise<{ firstByte: number; total: number }> {
  const connection = await LoadConnection.open(port);
  const request = requestBytes('GET', PATH, { key });
  try {
    return await new Promise((resolve, reject) => connection.send(request, resolve, reject));
  } finally {
    connection.close();
  }
}

/** Half of the readers read as fast as they can, half only after those are done. */
async function readTogether({ port }: Running, key: string): Promise<void> {
  const connections = await Promise.all(Array.from({ length: READERS }, () => LoadConnection.open(port)));
  const request = requestBytes('GET', PATH, { key });
  const reads = connections.map((connection, index) => {
    const read = new Promise((resolve, reject) => connection.send(request, resolve, reject));
    if (index % 2 === 1) connection.pause();
    return read;
  });
  await Promise.all(reads.filter((_, index) => index % 2 === 0));
  for (const connection of connections) connection.resume();
  await Promise.all(reads);
  for (const connection of connections) connection.close();
}
