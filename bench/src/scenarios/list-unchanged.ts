import { SMALL } from '../data.ts';
import { closedLoop, expectOnly } from '../load/closed-loop.ts';
import { requestBytes, send } from '../load/connection.ts';
import { rateOf, type Target } from '../load/rate.ts';
import type { Engine } from '../options.ts';
import type { Running } from '../processes.ts';
import { type Row, row } from '../row.ts';
import type { Context, Scenario } from '../scenario.ts';
import { interleave, median, ratios, shortRounds } from '../statistics.ts';
import { startBare } from '../subjects/bare.ts';
import { startNginx } from '../subjects/nginx.ts';
import { startJsonServer, startPrism } from '../subjects/peers.ts';
import { startPetstore } from '../subjects/petstore.ts';

const PATH = '/v1/store/orders';

export const listUnchanged: Scenario = {
  name: 'list',
  title: 'listOrders, 100 orders, unchanged, 64 connections',
  async run(context) {
    const rows: Row[] = [];
    for (const engine of context.options.engines) rows.push(...(await measure(context, engine)));
    return rows;
  },
};

async function measure({ options, data, progress }: Context, engine: Engine): Promise<Row[]> {
  const stores = await data.stores(engine);
  const servers: Running[] = [];
  const started = async <T extends Running | undefined>(starting: Promise<T>): Promise<T> => {
    const server = await starting;
    if (server) servers.push(server);
    return server;
  };
  try {
    const authorization = { Authorization: `Bearer ${stores.small}` };
    const petstore = await started(startPetstore(stores.place, stores.small));
    const answer = await send(petstore.port, requestBytes('GET', PATH, { key: stores.small }));
    const orders = JSON.parse(answer.body.toString());
    if (orders.length !== SMALL.listed) throw new Error(`the list has ${orders.length} orders`);

    const bare = await started(startBare(answer));
    const targets: Record<string, Target> = {
      petstore: { port: petstore.port, path: PATH, headers: authorization, expected: 200 },
      bare: { port: bare.port, path: PATH, headers: authorization, expected: 200 },
    };
    if (stores.place.engine === 'postgres') {
      const look = { url: stores.place.url, key: stores.small };
      const looking = await started(startBare(answer, look));
      targets.looking = { port: looking.port, path: PATH, headers: authorization, expected: 200 };
    }
    // What the engine does not touch is measured once.
    if (engine === options.engines[0]) {
      const nginx = options.quick ? undefined : await started(startNginx(answer.body));
      if (nginx) targets.nginx = { port: nginx.port, path: '/orders.json', headers: {}, expected: 200 };
      const jsonServer = await started(startJsonServer(orders));
      targets.jsonServer = { port: jsonServer.port, path: '/orders', headers: {}, expected: 200 };
      const prism = options.quick ? undefined : await started(startPrism(orders));
      if (prism)
        targets.prism = { port: prism.port, path: '/store/orders', headers: authorization, expected: 200 };
    }
    const rates = await interleave(
      shortRounds(options),
      Object.fromEntries(
        Object.entries(targets).map(([name, target]) => [
          name,
          (seconds: number) => {
            progress(`${engine}: ${name}`);
            return rateOf(target, seconds);
          },
        ]),
      ),
    );
    const ours = rates.petstore as number[];
    const request = requestBytes('GET', PATH, { key: stores.small });
    const { seconds } = options;
    const timed = await closedLoop({ port: petstore.port, connections: 64, seconds, next: () => request });
    const { p50, p99 } = expectOnly(timed, 200);
    const compare = (name: string, what: string, bar?: { atLeast: number }) => {
      const theirs = rates[name];
      if (!theirs) return [];
      const figures = { petstore: median(ours), [name]: median(theirs), p50Ms: p50, p99Ms: p99 };
      return [row({ scenario: 'list', engine, what, unit: '×', figures }, ratios(ours, theirs), bar)];
    };
    return [
      ...compare('bare', 'list of 100, of bare node:http', { atLeast: engine === 'sqlite' ? 0.7 : 0.65 }),
      ...compare('looking', 'list of 100, of bare node:http with a look at the key'),
      ...compare('jsonServer', 'list of 100, of json-server', { atLeast: 15 }),
      ...compare('prism', "list of 100, of Prism's mock"),
      ...compare('nginx', 'list of 100, of nginx and a file'),
    ];
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}
