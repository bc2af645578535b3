import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { engines } from '../support/engines.ts';
import { startService } from '../support/service.ts';
import { clientOf } from '../support/v2.ts';

const source = new URL('../../src/', import.meta.url);

it.each(engines)(
  'API7, server side request forgery: no webhook reaches an internal address, however it is written on $name',
  async (engine) => {
    await using service = await startService(engine, { webhooks: { allowPrivate: false } });
    const client = clientOf(service, await service.openStore());
    const outside = { url: 'https://receiver.invalid/' };
    const { id } = (await client('POST /v2/webhooks', { body: outside })).json<{ id: string }>();
    for (const url of [
      'http://127.0.0.1:8080/v1/pets',
      'https://127.0.0.1/',
      'https://[::1]/',
      'https://[::ffff:127.0.0.1]/',
      'https://2130706433/',
      'https://0x7f000001/',
      'https://10.0.0.1/',
      'https://192.168.1.1/',
      'https://169.254.169.254/latest/meta-data/',
      'https://[fe80::1]/',
      'https://[fd00::1]/',
      'https://0.0.0.0/',
      'http://example.com/',
      'ftp://example.com/',
      'file:///etc/passwd',
    ]) {
      for (const request of ['POST /v2/webhooks', `PATCH /v2/webhooks/${id}`]) {
        const { status, error } = await client(request, { body: { url } });
        expect([request, url, status, error().code]).toEqual([request, url, 422, 'invalid_webhook_url']);
      }
    }
    expect((await client('GET /v2/webhooks')).json<{ data: [] }>().data).toMatchObject([outside]);
  },
);

/** New calls to other servers need an attack first: this then fails. */
it('API10, unsafe consumption of APIs: the program calls only webhook receivers, and trusts none', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.[jt]s$/.test(name),
  );
  expect(files.length).toBeGreaterThan(100);
  const callers = files.filter((name) =>
    /\bawait fetch\(|from 'node:(https|http2|dns)'|\b(request|get)\b[^\n]*from 'node:http'|getBuiltinModule\([^\n]*'node:https'|(from |import\()'undici'/.test(
      readFileSync(new URL(name, source), 'utf8'),
    ),
  );
  expect(callers.sort()).toEqual([
    // Asks the service itself, which runs.
    'commands/ready.ts',
    'webhooks/name-resolver.ts',
    'webhooks/webhook-sender.ts',
  ]);
});
