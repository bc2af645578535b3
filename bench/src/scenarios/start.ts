import { setTimeout as pause } from 'node:timers/promises';
import { atMost, type Scenario } from '../bar.ts';
import { requestBytes, send } from '../load/connection.ts';
import { memoryOf } from '../processes.ts';
import { startPetstore } from '../subjects/petstore.ts';

const MEGABYTE = 1024 * 1024;

/** The service on a million orders: how soon it answers, and what it holds when it has nothing to do. */
export const start: Scenario = {
  name: 'start',
  async run({ data, rounds }) {
    const { place, large: key } = await data.stores();
    const times: number[] = [];
    const sizes: number[] = [];
    for (let round = 0; round < rounds; round++) {
      await using petstore = await startPetstore(place, key);
      times.push(petstore.readyAfter / 1000);
      await send(petstore.port, requestBytes('GET', '/v1/pets', { key }));
      await pause(2_000);
      sizes.push(memoryOf(petstore.pid) / MEGABYTE);
    }
    return [
      atMost(150, 'MB', 'idle memory', sizes),
      atMost(1.5, 's', 'start on a million orders to the first response', times),
    ];
  },
};
