import { requestBytes, send } from '../load/connection.ts';
import { folder, memoryOf } from '../processes.ts';
import { type Row, row } from '../row.ts';
import type { Scenario } from '../scenario.ts';
import { startDemonstration, startPetstore } from '../subjects/petstore.ts';

const MEGABYTE = 1024 * 1024;

export const startOnData: Scenario = {
  name: 'start',
  title: 'start on existing data of a million orders to the first answer',
  async run({ options, data, progress }) {
    const rows: Row[] = [];
    for (const engine of options.engines) {
      const stores = await data.stores(engine);
      const times: number[] = [];
      for (let round = 0; round < options.rounds; round++) {
        progress(`${engine}: start ${round + 1} of ${options.rounds}`);
        const petstore = await startPetstore(stores.place, stores.large);
        times.push(petstore.readyAfter / 1000);
        await petstore.stop();
      }
      rows.push(
        row(
          { scenario: 'start', engine, what: 'start on a million orders to the first answer', unit: 's' },
          times,
          {
            atMost: 1.5,
          },
        ),
      );
    }
    return rows;
  },
};

export const idleMemory: Scenario = {
  name: 'idle',
  title: 'idle memory with the demonstration data, both deployments in one process',
  async run({ options, progress }) {
    const sizes: number[] = [];
    for (let round = 0; round < Math.min(options.rounds, 3); round++) {
      progress(`start ${round + 1}`);
      const petstore = await startDemonstration(folder('demonstration'));
      await send(petstore.port, requestBytes('GET', '/v1/pets'));
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      sizes.push(memoryOf(petstore.pid) / MEGABYTE);
      await petstore.stop();
    }
    return [
      row({ scenario: 'idle', what: 'idle memory, demonstration data', unit: 'MB' }, sizes, { atMost: 110 }),
    ];
  },
};
