import { describe, expect, it } from 'vitest';
import type { Connection } from '../../src/database/query.ts';
import { keyForm } from '../../src/key-format.ts';
import { callerFinder } from '../../src/keys/find-caller.ts';
import { engines } from '../support/engines.ts';
import { useService } from '../support/service.ts';

describe.each(engines)('callers on $name', (engine) => {
  const service = useService(engine);

  it('who ask at the same moment with the same key share a look; who asks later is looked up anew', async () => {
    const { deployment, openStore } = service();
    const [one, other] = [await openStore(), await openStore()];
    let looks = 0;
    const counting: Connection = {
      all: (query, params) => {
        looks++;
        return deployment.db.all(query, params);
      },
    };
    const worked: string[] = [];
    const find = callerFinder(counting, keyForm('production'), Date.now, (key) => worked.push(key));
    const found = await Promise.all([find(one.key), find(other.key), find(one.key), find('no key')]);
    expect(found.map((caller) => caller?.storeId)).toEqual([
      one.storeId,
      other.storeId,
      one.storeId,
      undefined,
    ]);
    expect(looks).toBe(2);
    expect(worked.toSorted()).toEqual([one.key, other.key].toSorted());
    await find(one.key);
    expect(looks).toBe(3);
  });
});
