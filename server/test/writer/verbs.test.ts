import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { cancelOrder } from '../../src/orders/change-status.ts';
import { engines } from '../support/engines.ts';
import { useService } from '../support/service.ts';

it('every verb is known to the thread, under the name of its own', () => {
  const sources = fileURLToPath(new URL('../../src', import.meta.url));
  const textOf = (file: string) => readFileSync(`${sources}/${file}`, 'utf8');
  const written = globSync('**/*.ts', { cwd: sources }).flatMap((file) =>
    Array.from(textOf(file).matchAll(/^(?:export )?const (\w+) = verb\(\s*'(\w+)'/gm), ([, value, name]) => ({
      file,
      value,
      name,
    })),
  );
  const loaded = Array.from(textOf('verbs.ts').matchAll(/^import '\.\/(.+)';$/gm), ([, file]) => file);
  expect(written.filter(({ value, name }) => value !== name)).toEqual([]);
  expect(new Set(written.map(({ name }) => name)).size).toBe(written.length);
  expect(loaded.sort()).toEqual([...new Set(written.map(({ file }) => file))].sort());
});

describe.each(engines)('a refusal on $name', (engine) => {
  const service = useService(engine);

  it('leads to the verb that refused', async () => {
    const { storeId } = await service().openStore();
    const refused = service().deployment.writer.apply(cancelOrder, { storeId, orderId: 1n, at: 0n });
    const error = await refused.catch((reason: Error) => reason);
    expect(error).toMatchObject({ name: 'Refusal', code: 'order_already_shipped' });
    expect((error as Error).stack).toContain('changeStatus');
  });
});
