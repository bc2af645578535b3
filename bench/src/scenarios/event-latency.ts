import { describe } from '../load/closed-loop.ts';
import { LoadConnection, requestBytes } from '../load/connection.ts';
import { EventReader } from '../load/event-reader.ts';
import type { Engine } from '../options.ts';
import type { Running } from '../processes.ts';
import { type Row, row } from '../row.ts';
import type { Context, Scenario } from '../scenario.ts';
import { startPetstore } from '../subjects/petstore.ts';

/** Changes of each round, one after the other. */
const CHANGES = 200;

export const eventLatency: Scenario = {
  name: 'events',
  barOn: 'each engine',
  title: 'from the answer to a change, which is after its commit, to its event in an open stream',
  async run(context) {
    const rows: Row[] = [];
    for (const engine of context.options.engines) rows.push(...(await measure(context, engine)));
    return rows;
  },
};

async function measure({ options, data, progress }: Context, engine: Engine): Promise<Row[]> {
  const stores = await data.copy(await data.stores(engine));
  const here = await startPetstore(stores.place, stores.small);
  // Two programs cannot share a file as replicas share PostgreSQL.
  const there = engine === 'postgres' ? await startPetstore(stores.place, stores.small) : undefined;
  const rows: Row[] = [];
  try {
    for (const [what, server, atMost] of [
      ['in the same process', here, 20],
      ['at another replica', there, 1_000],
    ] as const) {
      if (!server) continue;
      const [p50, p99, whole]: [number[], number[], number[]] = [[], [], []];
      for (let round = 0; round <= options.rounds; round++) {
        progress(`${engine}: ${what}`);
        const { afterAnswer, afterSending } = await changeAndRead(here, server, stores.small, round);
        if (round === 0) continue;
        p50.push(describe(afterAnswer).p50);
        p99.push(describe(afterAnswer).p99);
        whole.push(describe(afterSending).p50);
      }
      const figures = { fromSendingTheChangeMs: median(whole) };
      const named = (name: string) => ({
        scenario: 'events',
        engine,
        what: `from a commit to its event ${what}, ${name}`,
        unit: 'ms' as const,
        figures,
      });
      rows.push(row(named('p50'), p50), row(named('p99'), p99, { atMost }));
    }
  } finally {
    await here.stop();
    await there?.stop();
  }
  return rows;
}

const median = (values: number[]) => describe(values).p50;

/** Changes a pet again and again, and reads of it at another connection. */
async function changeAndRead(writes: Running, reads: Running, key: string, round: number) {
  let arrived: (at: number) => void = () => {};
  const reader = await EventReader.open(reads.port, key, () => arrived(performance.now()));
  const connection = await LoadConnection.open(writes.port, { keep: true });
  const [afterAnswer, afterSending]: [number[], number[]] = [[], []];
  try {
    for (let change = 0; change < CHANGES; change++) {
      const event = new Promise<number>((resolve) => {
        arrived = resolve;
      });
      const body = `{"stock":${1000 + round * CHANGES + change}}`;
      const sentAt = performance.now();
      const { status } = await connection.request(requestBytes('PATCH', '/v2/pets/1', { key, body }));
      const answeredAt = performance.now();
      if (status !== 200) throw new Error(`a change was answered with ${status}`);
      const arrivedAt = await event;
      // An event may well be there before the answer is.
      afterAnswer.push(Math.max(0, arrivedAt - answeredAt));
      afterSending.push(arrivedAt - sentAt);
    }
  } finally {
    connection.close();
    reader.close();
  }
  return { afterAnswer, afterSending };
}
