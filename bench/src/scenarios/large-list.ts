import { atMost, type Scenario } from '../bar.ts';
import type { Stores } from '../data.ts';
import { requestBytes, send } from '../load/connection.ts';
import { steady } from '../load/steady.ts';
import { memoryOf, watchMemory } from '../processes.ts';
import { startPetstore } from '../subjects/petstore.ts';

const LIST = '/v1/store/orders';
const MEGABYTE = 1024 * 1024;
const MAX_ROUNDS = 3;

/** The list of a million orders, on a service that was just started, while others list a hundred. */
export const largeList: Scenario = {
  name: 'large-list',
  async run({ data, rounds }) {
    const stores = await data.stores();
    const lists: Awaited<ReturnType<typeof listOnce>>[] = [];
    for (let round = 0; round < Math.min(rounds, MAX_ROUNDS); round++) lists.push(await listOnce(stores));
    const of = (figure: 'growth' | 'firstByte' | 'p99') => lists.map((list) => list[figure]);
    return [
      atMost(64, 'MB', 'list of a million: memory above idle', of('growth')),
      atMost(100, 'ms', 'list of a million: first byte', of('firstByte')),
      atMost(50, 'ms', 'list of a million: p99 of other requests', of('p99')),
    ];
  },
};

async function listOnce({ place, small, large }: Stores) {
  await using petstore = await startPetstore(place, small);
  const others = { rate: 200, connections: 8, request: requestBytes('GET', LIST, { key: small }) };
  // As in a service that has been up for a while.
  await steady(petstore.port, others, (seconds) => seconds > 1);
  const idle = memoryOf(petstore.pid);
  const peak = watchMemory(petstore.pid);
  let isDone = false;
  const meanwhile = steady(petstore.port, others, () => isDone);
  const { firstByte, length } = await send(petstore.port, requestBytes('GET', LIST, { key: large }), {
    keep: false,
  });
  isDone = true;
  if (length < 50 * MEGABYTE) throw new Error(`the list has only ${length} bytes`);
  return { firstByte, p99: await meanwhile, growth: (peak() - idle) / MEGABYTE };
}
