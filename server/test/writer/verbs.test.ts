import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { cancelOrder } from '../../src/orders/change-status.ts';
import { verbs } from '../../src/writer/verb.ts';
import { engines } from '../support/engines.ts';
import { useService } from '../support/service.ts';

it('every verb is registered in the thread under its own name', async () => {
  const sources = fileURLToPath(new URL('../../src', import.meta.url));
  const textOf = (file: string) => readFileSync(`${sources}/${file}`, 'utf8');
  const loaded = Array.from(
    textOf('app/verbs.ts').matchAll(/^import '\.\.\/(.+)';$/gm),
    ([, file = '']) => file,
  );
  const withVerbs = globSync('**/*.ts', { cwd: sources }).filter((file) => /\Wverb\(/.test(textOf(file)));
  expect(loaded.sort()).toEqual(withVerbs.sort());
  const named = loaded.flatMap((file) =>
    Array.from(textOf(file).matchAll(/\Wverb\(\s*'(\w+)'/g), ([, name]) => name),
  );
  for (const file of loaded)
    for (const [name, value] of Object.entries(await import(`${sources}/${file}`)))
      if (Object.hasOwn(value as object, 'run')) expect(verbs.get(name)).toBe(value);
  // Of two verbs with one name, the thread would only have the second. Other tests may have defined verbs as well.
  expect(named.sort()).toEqual([...new Set(named)]);
  expect([...verbs.keys()]).toEqual(expect.arrayContaining(named));
});

describe.each(engines)('a rejection on $name', (engine) => {
  const service = useService(engine);

  it('names the verb that rejected', async () => {
    const { storeId } = await service().openStore();
    const rejected = service().deployment.writer.apply(cancelOrder, { storeId, orderId: 1n, at: 0n });
    const error = await rejected.catch((reason: Error) => reason);
    expect(error).toMatchObject({ name: 'DomainError', code: 'order_already_shipped' });
    expect((error as Error).stack).toContain('changeStatus');
  });
});
