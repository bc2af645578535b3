import { requestBytes, send } from '../load/connection.ts';
import { rateOf } from '../load/rate.ts';
import { row } from '../row.ts';
import type { Scenario } from '../scenario.ts';
import { interleave, median, ratios, shortRounds } from '../statistics.ts';
import { startBare } from '../subjects/bare.ts';
import { startPetstore } from '../subjects/petstore.ts';

const PATH = '/v1/store/orders';

export const listNotModified: Scenario = {
  name: 'not-modified',
  title: 'the same with If-None-Match',
  async run({ options, data, progress }) {
    const rows = [];
    for (const engine of options.engines) {
      const stores = await data.stores(engine);
      const petstore = await startPetstore(stores.place, stores.small);
      const first = await send(petstore.port, requestBytes('GET', PATH, { key: stores.small }));
      const etag = /\r\netag: (.+)\r\n/i.exec(first.head)?.[1] ?? '';
      const headers = { Authorization: `Bearer ${stores.small}`, 'If-None-Match': etag };
      const answer = await send(petstore.port, requestBytes('GET', PATH, { headers }));
      if (answer.status !== 304) throw new Error(`expected 304, not ${answer.status}`);
      const bare = await startBare(answer);
      const target = { path: PATH, headers, expected: 304 };
      const rates = await interleave(shortRounds(options), {
        petstore: (seconds) => {
          progress(`${engine}: petstore`);
          return rateOf({ ...target, port: petstore.port }, seconds);
        },
        bare: (seconds) => {
          progress(`${engine}: bare`);
          return rateOf({ ...target, port: bare.port }, seconds);
        },
      });
      await Promise.all([petstore.stop(), bare.stop()]);
      rows.push(
        row(
          {
            scenario: 'not-modified',
            engine,
            what: '304, of bare node:http',
            unit: '×',
            figures: { petstore: median(rates.petstore), bare: median(rates.bare) },
          },
          ratios(rates.petstore, rates.bare),
          { atLeast: 0.7 },
        ),
      );
    }
    return rows;
  },
};
