import { describe, expect, it } from 'vitest';
import { generateKey } from '../../src/domain/key-format.ts';
import { sqlite } from '../support/engines.ts';
import { sendRaw } from '../support/http.ts';
import { useService } from '../support/service.ts';

describe('a rejected client gets advice', () => {
  const service = useService(sqlite, {
    servers: () => [{ name: 'production', origin: 'https://pets.example' }],
  });

  it.each([
    [undefined, 'Send an API key as a bearer token: Authorization: Bearer <API_KEY>.'],
    ['', 'Send an API key as a bearer token: Authorization: Bearer <API_KEY>.'],
    ['Bearer ', 'There is no key after Bearer. Is your environment variable set?'],
    ['pst_live_abc', 'The word Bearer is missing: Authorization: Bearer <API_KEY>.'],
    ['Bearer <API_KEY>', 'This is a placeholder. Replace it with your API key.'],
    ['bearer <your key>', 'This is a placeholder. Replace it with your API key.'],
    [
      Buffer.from('Bearer pst_live_…').toString('latin1'),
      'This is a placeholder. Replace it with your API key.',
    ],
    ['Bearer $KEY', '$KEY was sent literally.'],
    ['Bearer $PETSTORE_KEY', '$PETSTORE_KEY was sent literally.'],
    [`Bearer \${KEY}`, `\${KEY} was sent literally.`],
    [
      `Bearer ${generateKey('staging')}`,
      'This is a staging key, but this is the production deployment. Use the staging URL, or another key.',
    ],
    [`Bearer ${generateKey('production')}`, 'The API key is not valid for this deployment, has expired'],
    [`Bearer ${'<'.repeat(20_000)}`, 'The API key is not valid'],
  ])('401: with %j', async (authorization, explain) => {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    const { status, text } = await service().request('GET /v1/pets', { headers });
    const { message } = JSON.parse(text);
    expect([status, message.slice(0, explain.length)]).toEqual([401, explain]);
    expect(message).toContain(' Sign up at https://pets.example/console and copy a key from there.');
  });

  it.each([
    [
      'POST /v1/store/orders',
      'Place an order with POST /v2/store/orders of version 2 (beta), or in the console.',
    ],
    ['GET /v1/store/orders/2', 'Get an order with GET /v2/store/orders/{orderId} of version 2 (beta).'],
    ['PATCH /v1/pets/1', 'Update a pet with PATCH /v2/pets/{petId} of version 2 (beta).'],
    ['PUT /v1/store/orders', 'This resource does not support this method; see the Allow header.'],
    ['POST /v2/store/orders/2', 'This resource does not support this method; see the Allow header.'],
  ])('405: %s', async (call, explain) => {
    const { key } = await service().openStore();
    const { status, text, headers } = await service().request(call, { key });
    expect([status, JSON.parse(text).message]).toEqual([405, expect.stringContaining(explain)]);
    expect(headers.allow).toBeTruthy();
  });

  it.each(['/pets', '/store/orders', '/openapi.json', '/api/v1/pets'])(
    '404: %s, outside every version',
    async (path) => {
      const { key } = await service().openStore();
      const { status, text } = await service().request(`GET ${path}`, { key });
      const { code, message } = JSON.parse(text);
      expect([status, code, message]).toEqual([404, 'not_found', expect.stringContaining('under /v1')]);
    },
  );

  it('501: an unknown method, and 401 before 405 for a known one', async () => {
    const line = (method: string) => `${method} /v1/pets HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
    const unknown = await sendRaw(service().port, line('FOO'));
    expect([unknown.status, JSON.parse(unknown.text).code]).toEqual([501, 'not_implemented']);
    expect((await sendRaw(service().port, line('PROPFIND'))).status).toBe(401);
    const { key } = await service().openStore();
    const known = await service().request('PROPFIND /v1/pets', { key });
    expect([known.status, known.headers.allow]).toEqual([405, 'GET, HEAD']);
  });
});
