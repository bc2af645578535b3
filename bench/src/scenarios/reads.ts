import { atLeast, type Result, type Scenario } from '../bar.ts';
import { rateOf } from '../load/closed-loop.ts';
import { requestBytes, send } from '../load/connection.ts';
import { inShortRounds, interleave, median, ratios } from '../statistics.ts';
import { startBare } from '../subjects/bare.ts';
import { startJsonServer } from '../subjects/json-server.ts';
import { startPetstore } from '../subjects/petstore.ts';

const LIST = '/v1/store/orders';
const LISTED = 100;

const questions = [
  { what: 'list of 100', path: LIST, least: 0.5 },
  { what: '304', path: LIST, least: 0.5, isKnown: true },
  { what: '`GET /v1/pets`', path: '/v1/pets', least: 0.5 },
  { what: 'an order', path: '/v2/store/orders/1', least: 0.45 },
  { what: 'a pet by id', path: '/v1/pets/1', least: 0.45 },
];

/** Rates of small answers, of a bare node:http that sends the same bytes; and of json-server on the same orders. */
export const reads: Scenario = {
  name: 'reads',
  async run({ data, ...given }) {
    const rounds = inShortRounds(given);
    const { place, small: key } = await data.stores();
    await using petstore = await startPetstore(place, key);
    const results: Result[] = [];
    for (const { what, path, least, isKnown } of questions) {
      const first = await send(petstore.port, requestBytes('GET', path, { key }));
      const etag = /\r\netag: (.+)\r\n/i.exec(first.head)?.[1] ?? '';
      const request = requestBytes('GET', path, {
        key,
        ...(isKnown && { headers: { 'If-None-Match': etag } }),
      });
      const response = await send(petstore.port, request);
      const expected = isKnown ? 304 : 200;
      await using bare = await startBare(response);
      const rates = await interleave(rounds, {
        petstore: (seconds) => rateOf(petstore.port, request, expected, seconds),
        bare: (seconds) => rateOf(bare.port, request, expected, seconds),
      });
      const figures = { petstore: median(rates.petstore), bare: median(rates.bare) };
      results.push(atLeast(least, `${what} vs. node:http`, ratios(rates.petstore, rates.bare), figures));
    }
    const request = requestBytes('GET', LIST, { key });
    const orders = JSON.parse((await send(petstore.port, request)).body.toString());
    if (orders.length !== LISTED) throw new Error(`the list has ${orders.length} orders`);
    await using jsonServer = await startJsonServer(orders);
    const rates = await interleave(rounds, {
      petstore: (seconds) => rateOf(petstore.port, request, 200, seconds),
      jsonServer: (seconds) => rateOf(jsonServer.port, requestBytes('GET', '/orders'), 200, seconds),
    });
    const figures = { petstore: median(rates.petstore), 'json-server': median(rates.jsonServer) };
    return [
      ...results,
      atLeast(10, 'list of 100 vs. json-server', ratios(rates.petstore, rates.jsonServer), figures),
    ];
  },
};
