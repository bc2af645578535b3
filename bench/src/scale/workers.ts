import { requestBytes } from '../load/connection.ts';
import { folder, unpin } from '../processes.ts';
import { seed, startPetstore } from '../subjects/petstore.ts';
import { costOf, family, megabytesOf, round, table } from './measure.ts';
import { fillShelf, placing } from './placing.ts';

/** Rates and processor time an answer with one process, and with several that share the port and the file. */
export async function workers(): Promise<void> {
  const place = { engine: 'sqlite', data: folder('workers') } as const;
  const key = await seed(place, 113);
  const rows: string[][] = [];
  for (const count of [1, 2, 1, 2]) {
    const petstore = await startPetstore(place, key, { flags: ['--workers', String(count)] });
    for (const pid of family(petstore.pid)) unpin(pid);
    await fillShelf(petstore.port, key);
    const pids = [[petstore.pid]];
    const get = (path: string) =>
      costOf(petstore.port, pids, 10_000, () => requestBytes('GET', path, { key }));
    const costs = [
      await get('/v1/pets'),
      await get('/v2/store/orders?limit=50'),
      await costOf(petstore.port, pids, 1_500, () => placing(key), { expected: 201 }),
    ];
    rows.push([
      String(count),
      ...costs.map(({ rate, cpu: [cpu = 0] }) => `${Math.round(rate)}/s, ${round(cpu)} µs`),
      `${Math.round(megabytesOf(petstore.pid))} MB`,
    ]);
    await petstore.stop();
  }
  table(['workers', 'pets', 'page of 50', 'place', 'memory'], rows);
}
