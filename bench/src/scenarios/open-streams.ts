import { requestBytes, send } from '../load/connection.ts';
import { EventReader } from '../load/event-reader.ts';
import { folder, memoryOf } from '../processes.ts';
import { type Row, row } from '../row.ts';
import type { Scenario } from '../scenario.ts';
import { createKey, startPetstore } from '../subjects/petstore.ts';

const MEGABYTE = 1024 * 1024;
/** As many as one store may have open. */
const OF_STORE = 100;
const [FEW, MANY] = [1_000, 5_000];

export const openStreams: Scenario = {
  name: 'streams',
  title: 'memory of open streams of events, and an event for each of very many',
  async run({ options, progress }) {
    const place = { engine: 'sqlite', data: folder('streams') } as const;
    const sizes = options.quick ? [FEW] : [FEW, MANY];
    const keys: string[] = [];
    while (keys.length < (sizes.at(-1) as number) / OF_STORE) {
      progress(`store ${keys.length + 1}`);
      keys.push(await createKey(place));
    }
    const rows: Row[] = [];
    for (const size of sizes) {
      const petstore = await startPetstore(place, keys[0] as string);
      const ask = (method: string, path: string, key: string, body?: string) =>
        send(petstore.port, requestBytes(method, path, { key, ...(body ? { body } : {}) }));
      const used = keys.slice(0, size / OF_STORE);
      for (const key of used) await ask('GET', '/v2/pets', key);
      const before = memoryOf(petstore.pid);
      let events = 0;
      const readers: EventReader[] = [];
      for (const key of used) {
        progress(`${readers.length} of ${size} streams`);
        const opening = Array.from({ length: OF_STORE }, () =>
          EventReader.open(petstore.port, key, () => {
            events++;
          }),
        );
        readers.push(...(await Promise.all(opening)));
      }
      // Long enough for a sign of life to every one, and for what opening them left behind to be cleared away.
      await new Promise((resolve) => setTimeout(resolve, 12_000));
      const megabytes = (memoryOf(petstore.pid) - before) / MEGABYTE;
      progress(`an event for each of ${size}`);
      const changedAt = performance.now();
      for (const key of used) await ask('PATCH', '/v2/pets/1', key, '{"stock":77}');
      while (events < size) await new Promise(setImmediate);
      const toAllMs = performance.now() - changedAt;
      for (const reader of readers) reader.close();
      await petstore.stop();
      const what = `memory of ${size.toLocaleString('en')} idle streams`;
      rows.push(
        row(
          {
            scenario: 'streams',
            engine: 'sqlite',
            what,
            unit: 'MB',
            figures: { kilobytesEach: (megabytes * 1024) / size, eventToAllMs: toAllMs },
          },
          [megabytes],
        ),
      );
    }
    return rows;
  },
};
