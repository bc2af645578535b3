import { pendingOrders, type Stores } from '../data.ts';
import { closedLoop, expectOnly } from '../load/closed-loop.ts';
import { requestBytes } from '../load/connection.ts';
import type { Engine } from '../options.ts';
import { processorSeconds, type Running } from '../processes.ts';
import { type Row, row } from '../row.ts';
import type { Context, Scenario } from '../scenario.ts';
import { interleave, median, ratios, shortRounds } from '../statistics.ts';
import { startPetstore } from '../subjects/petstore.ts';

const CONNECTIONS = 64;

interface Measured {
  readonly rate: number;
  /** Answers for each second of the processor. */
  readonly ofProcessor: number;
}

export const inspector: Scenario = {
  name: 'inspector',
  barOn: 'each engine',
  title: 'lists and cancels for a second of the processor with the inspector on, of the same without it',
  async run(context) {
    const rows: Row[] = [];
    for (const engine of context.options.engines) {
      rows.push(await compare(context, engine, 'lists of 100', listsOf));
      rows.push(await compare(context, engine, 'cancels', cancelsOf));
    }
    return rows;
  },
};

/** The requests to a store, one after the other. */
type Requests = (stores: Stores) => Promise<{ next: () => Buffer | undefined; expected: number }>;

const listsOf: Requests = async ({ small }) => {
  const request = requestBytes('GET', '/v1/store/orders', { key: small });
  return { next: () => request, expected: 200 };
};

const cancelsOf: Requests = async ({ place, large }) => {
  const ids = (await pendingOrders(place)).ids.values();
  return {
    next: () => {
      const { value, done } = ids.next();
      return done ? undefined : requestBytes('DELETE', `/v1/store/orders/${value}`, { key: large });
    },
    expected: 204,
  };
};

async function compare(
  { options, data, progress }: Context,
  engine: Engine,
  what: string,
  requestsOf: Requests,
): Promise<Row> {
  const servers: Running[] = [];
  const subject = async (name: string, flags: readonly string[]) => {
    const stores = await data.copy(await data.stores(engine));
    const { next, expected } = await requestsOf(stores);
    const petstore = await startPetstore(stores.place, stores.small, { flags });
    servers.push(petstore);
    return async (seconds: number): Promise<Measured> => {
      progress(`${engine}: ${what}, ${name}`);
      const before = processorSeconds(petstore.pid);
      const load = { port: petstore.port, connections: CONNECTIONS, seconds, next };
      const { rate, count } = expectOnly(await closedLoop(load), expected);
      return { rate, ofProcessor: count / (processorSeconds(petstore.pid) - before) };
    };
  };
  try {
    const measured = await interleave(shortRounds(options), {
      on: await subject('inspector on', []),
      off: await subject('inspector off', ['--no-inspector']),
    });
    const of = (field: keyof Measured) =>
      [measured.on, measured.off].map((all) => all.map((one) => one[field])) as [number[], number[]];
    const [on, off] = of('rate');
    const figures = { on: median(on), off: median(off), byRate: median(ratios(on, off)) };
    return row(
      { scenario: 'inspector', engine, what: `${what} with the inspector, of without`, unit: '×', figures },
      ratios(...of('ofProcessor')),
      { atLeast: 0.95 },
    );
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}
