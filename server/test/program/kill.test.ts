import { describe, expect, it } from 'vitest';
import { KILLS } from '../support/effort.ts';
import { engines } from '../support/engines.ts';
import { insertOrders, type Order } from '../support/orders.ts';
import { startProgram } from '../support/program.ts';

const CONNECTIONS = 8;

describe.concurrent.each(engines)('kill -9 in the middle of cancels on $name', (engine) => {
  it(`${KILLS} times: every acknowledged cancel holds, and nothing else is cancelled`, {
    timeout: 300_000 + 45_000 * KILLS,
  }, async () => {
    await using database = await engine.create();
    let alive: Set<bigint> | undefined;
    let maybe = new Set<bigint>();
    let acknowledged = 0;
    for (let round = 0; round <= KILLS; round++) {
      await using program = await startProgram([...database.flags, '--port', '0', '--log-level', 'silent']);
      const { key, request } = program;
      if (round === 0) await fill(database);
      const listed = new Set(
        (await request('GET /v1/store/orders', { key })).json<Order[]>().map(({ id }) => id),
      );
      if (alive) {
        // What was asked for and not answered may be either; everything else is known.
        const unknown = maybe;
        expect([...alive].filter((id) => !listed.has(id) && !unknown.has(id))).toEqual([]);
        expect([...listed].filter((id) => !alive?.has(id))).toEqual([]);
      }
      alive = listed;
      maybe = new Set();
      if (round === KILLS) break;
      acknowledged += await cancelUntilKilled(program, alive, maybe, 5 + round * 10);
    }
    expect(acknowledged).toBeGreaterThan(KILLS * 5);
  });
});

/** Orders enough for every round. */
async function fill(database: Parameters<typeof insertOrders>[0]): Promise<void> {
  const [store] = await database.rows("SELECT id FROM stores WHERE owner = 'demonstration'");
  const ids = Array.from({ length: KILLS * 100 + KILLS * KILLS * 10 }, (_, i) => BigInt(i + 100));
  await insertOrders(database, { storeId: store?.id as bigint }, ids);
}

/** Cancels orders on several connections until so many were acknowledged, then kills the program. */
async function cancelUntilKilled(
  program: Awaited<ReturnType<typeof startProgram>>,
  alive: Set<bigint>,
  maybe: Set<bigint>,
  enough: number,
): Promise<number> {
  const waiting = [...alive].filter((id) => id >= 100n);
  let acknowledged = 0;
  let killed: Promise<unknown> | undefined;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (!killed) {
        const id = waiting.pop() as bigint;
        maybe.add(id);
        const answer = await program
          .request(`DELETE /v1/store/orders/${id}`, { key: program.key })
          .catch(() => undefined);
        if (!answer) return;
        expect(answer.status).toBe(204);
        maybe.delete(id);
        alive.delete(id);
        if (++acknowledged >= enough) killed ??= program.stop('SIGKILL');
      }
    }),
  );
  await killed;
  return acknowledged;
}
