import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { runCommand, startCommand } from '../support/command.ts';
import { sqlite } from '../support/engines.ts';
import { startReceiver } from '../support/receiver.ts';
import { startService } from '../support/service.ts';
import { clientOf } from '../support/v2.ts';

it('listen posts each event to a local address, signed, and prints the outcome', async () => {
  await using receiver = await startReceiver((_, response, count) =>
    response.writeHead(count === 1 ? 204 : 500).end(),
  );
  await using service = await startService(sqlite);
  const store = await service.openStore();
  const client = clientOf(service, store);
  await client('POST /v2/pets', { body: { name: 'Rex', category: 'dog' } });
  await using listening = startCommand(
    ['listen', '--url', service.origin, '--forward-to', receiver.url, '--after', '0'],
    { env: { PETSTORE_KEY: store.key } },
  );
  const { output } = listening;
  await receiver.waitForMessages(1);
  await client('PATCH /v2/pets/13', { body: { stock: 1 } });
  const messages = await receiver.waitForMessages(2);
  await listening.written('stdout', ' 500 ');
  const secret = /^secret +(\S+)$/m.exec(output.stdout)?.[1] ?? '';
  for (const { headers, body } of messages)
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toHaveProperty('type');
  expect(output.stdout).toMatch(/pet\.created +204 .*\n.*pet\.changed +500 /);
  expect(output.stdout).not.toContain(store.key);
});

it.each([
  [['listen'], /requires --forward-to/],
  [['listen', '--forward-to', 'http://localhost:1'], /pass --key/],
  [['listen', '--forward-to', 'nowhere', '--key', 'x'], /must be a URL/],
  [['listen', '--forward-to', 'http://localhost:1', '--key', 'x', '--after=x'], /must be an event ID/],
])('%j reports what is missing', async (args, message) => {
  const { code, stderr } = await runCommand(args);
  expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
});
