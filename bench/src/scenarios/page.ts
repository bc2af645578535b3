import { atLeast, type Scenario } from '../bar.ts';
import { rateOf } from '../load/closed-loop.ts';
import { requestBytes, send } from '../load/connection.ts';
import { inShortRounds, interleave, median, ratios } from '../statistics.ts';
import { startBareProgram } from '../subjects/bare.ts';
import { databaseFile, startPetstore } from '../subjects/petstore.ts';

/** A page of 50 of a million orders vs. node:http that runs the same SQL by the bare driver. */
export const page: Scenario = {
  name: 'page',
  async run({ data, ...given }) {
    const rounds = inShortRounds(given);
    const { place, large: key } = await data.stores();
    await using petstore = await startPetstore(place, key);
    await using bare = await startBareProgram('page-server', databaseFile(place));
    const request = requestBytes('GET', '/v2/store/orders?limit=50', { key });
    const [ours, theirs] = await Promise.all([petstore, bare].map(({ port }) => ordersOf(port, request)));
    if (ours !== theirs) throw new Error('the two do not answer with the same orders');
    const rates = await interleave(rounds, {
      petstore: (seconds) => rateOf(petstore.port, request, 200, seconds),
      bare: (seconds) => rateOf(bare.port, request, 200, seconds),
    });
    const figures = { petstore: median(rates.petstore), bare: median(rates.bare) };
    const what = 'page of 50 of a million vs. the same SQL with the driver';
    return [atLeast(0.8, what, ratios(rates.petstore, rates.bare), figures)];
  },
};

async function ordersOf(port: number, request: Buffer): Promise<string> {
  return JSON.stringify(JSON.parse((await send(port, request)).body.toString()).data);
}
