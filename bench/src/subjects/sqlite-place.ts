import { openForWriting } from './sqlite-writing.ts';

export interface Wanted {
  readonly petId: bigint;
  readonly quantity: bigint;
}

const SHIPPING_MS = 3n * 86_400_000n;

/** Places groups of orders by the statements of the service, through the bare driver; gives the answers' bodies. */
export function openForPlacements(path: string, storeId: bigint): (group: readonly Wanted[]) => string[] {
  const prepare = openForWriting(path);
  const begin = prepare('BEGIN IMMEDIATE');
  const commit = prepare('COMMIT');
  const counters = prepare('SELECT revision, next_order_id FROM stores WHERE id = ?');
  const take = prepare(
    'UPDATE OR FAIL pets SET stock = stock - ?1, sum = sum - ?1 + ?2 - revision, revision = ?2 WHERE store_id = ?3 AND id = ?4 AND stock >= ?1 RETURNING id, stock',
  );
  const insert = prepare(
    "INSERT OR FAIL INTO orders (store_id, id, pet_id, quantity, ship_date, status, placed_at, updated_at, revision, sum) VALUES (?, ?, ?, ?, ?, 'pending', ?, ?, ?, ?)",
  );
  const record = prepare(
    "INSERT OR FAIL INTO changes (store_id, revision, at, type, order_id, pet_id, quantity, ship_date, placed_at) VALUES (?, ?, ?, 'order.placed', ?, ?, ?, ?, ?)",
  );
  const widen = prepare(
    'INSERT OR FAIL INTO order_zones (store_id, zone, earliest, latest) VALUES (?, ?, ?, ?) ON CONFLICT (store_id, zone) DO UPDATE SET latest = excluded.latest WHERE excluded.latest > order_zones.latest',
  );
  const save = prepare('UPDATE OR FAIL stores SET revision = ?, next_order_id = ? WHERE id = ?');

  return (group) => {
    const at = BigInt(Date.now());
    const shipDate = at + SHIPPING_MS;
    const zones = new Set<bigint>();
    const units = new Map<bigint, bigint>();
    for (const { petId, quantity } of group) units.set(petId, (units.get(petId) ?? 0n) + quantity);
    const answers: string[] = [];
    begin.run();
    let { revision, next_order_id: id } = counters.get(storeId) as {
      revision: bigint;
      next_order_id: bigint;
    };
    for (const [petId, quantity] of units) {
      if (!take.get(quantity, revision + BigInt(group.length), storeId, petId))
        throw new Error('the stock has run out');
    }
    for (const { petId, quantity } of group) {
      revision++;
      const sum = id + petId + quantity + shipDate + 1n + at + at + revision;
      insert.run(storeId, id, petId, quantity, shipDate, at, at, revision, sum);
      record.run(storeId, revision, at, id, petId, quantity, shipDate, at);
      zones.add(id >> 10n);
      answers.push(
        JSON.stringify({
          id: Number(id++),
          petId: Number(petId),
          quantity: Number(quantity),
          shipDate: new Date(Number(shipDate)).toISOString(),
          complete: false,
          status: 'pending',
          placedAt: new Date(Number(at)).toISOString(),
          updatedAt: new Date(Number(at)).toISOString(),
        }),
      );
    }
    for (const zone of zones) widen.run(storeId, zone, shipDate, shipDate);
    save.run(revision, id, storeId);
    commit.run();
    return answers;
  };
}
