import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { row } from '../row.ts';
import type { Scenario } from '../scenario.ts';

const testing = fileURLToPath(new URL('../../../testing/src/index.ts', import.meta.url));

/** A process of its own for each round: the first store of a test run is the one that waits for everything. */
const script = `
  const { startPetStore } = await import(process.argv[1]);
  const took = async () => {
    const begun = performance.now();
    const store = await startPetStore({ dataSet: 'int64' });
    const time = performance.now() - begun;
    await store.close();
    return time;
  };
  console.log(JSON.stringify([await took(), await took()]));
`;

export const storeInTest: Scenario = {
  name: 'testing',
  title: 'a store inside a test, from the call to ready',
  async run({ options, progress }) {
    const times: [number, number][] = [];
    for (let round = 0; round < options.rounds; round++) {
      progress(`start ${round + 1} of ${options.rounds}`);
      const { stdout } = await promisify(execFile)(process.execPath, [
        '--input-type=module',
        '--eval',
        script,
        testing,
      ]);
      times.push(JSON.parse(stdout));
    }
    const of = (what: string, at: 0 | 1) =>
      row(
        { scenario: 'testing', what, unit: 'ms' },
        times.map((pair) => pair[at]),
        { atMost: 300 },
      );
    return [of('startPetStore, the first of a process', 0), of('startPetStore, a further one', 1)];
  },
};
