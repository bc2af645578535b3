import { describe, expect, it } from 'vitest';
import type { Database } from '../../src/database/engine.ts';
import { callerFinder } from '../../src/keys/find-caller.ts';
import { engines } from '../support/engines.ts';
import { useService } from '../support/service.ts';

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

describe.each(engines)('callers on $name', (engine) => {
  const service = useService(engine);

  it('who ask at the same time share a look, on PostgreSQL for as long as more of them come, but not for ever', async () => {
    const { deployment, openStore } = service();
    const { key, storeId } = await openStore();
    let looks = 0;
    const counting: Database = {
      ...deployment.db,
      all: (query, params) => {
        looks++;
        return deployment.db.all(query, params);
      },
    };
    const find = callerFinder(counting, 'production', Date.now);
    const asked = [find(key), find(key)];
    for (let turn = 0; turn < 3; turn++) {
      await nextTurn();
      asked.push(find(key));
    }
    expect((await Promise.all(asked)).map((caller) => caller?.storeId)).toEqual(Array(5).fill(storeId));
    // The first two share one on either; on PostgreSQL, so do those of the next two turns.
    expect(looks).toBe(engine.name === 'postgres' ? 2 : 4);

    // Whoever is alone does not wait.
    looks = 0;
    const alone = find(key);
    await nextTurn();
    expect(looks).toBe(1);
    await alone;
  });
});
