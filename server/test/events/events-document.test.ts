import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { engines } from '../support/engines.ts';
import { readEvents } from '../support/event-reader.ts';
import { useService } from '../support/service.ts';
import { clientOf } from '../support/v2.ts';

interface EventsDocument {
  asyncapi: string;
  servers: Record<string, { host: string; pathname: string }>;
  components: { messages: Record<string, { name: string; payload: object }>; schemas: object };
}

describe('the document of events', () => {
  const [sqlite] = engines as [(typeof engines)[number]];
  const service = useService(sqlite, {
    servers: () => [{ name: 'production', origin: 'https://pets.example' }],
  });

  it('is served as JSON and YAML, without a key, and names the service’s address', async () => {
    const [json, yaml] = await Promise.all(
      ['json', 'yaml'].map((ending) => fetch(`${service().origin}/v2/asyncapi.${ending}`)),
    );
    const document = (await json?.json()) as EventsDocument;
    expect(parse((await yaml?.text()) ?? '')).toEqual(document);
    expect(document.asyncapi).toBe('3.1.0');
    expect(document.servers).toMatchObject({ production: { host: 'pets.example', pathname: '/v2' } });
  });

  it('describes each type of event in the stream', async () => {
    const document = (await (await fetch(`${service().origin}/v2/asyncapi.json`)).json()) as EventsDocument;
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: 'document', ...document });
    const store = await service().openStore();
    const client = clientOf(service(), store);
    await client('POST /v2/pets', { body: { name: 'Rex', category: 'dog', stock: 4 } });
    await client('POST /v2/store/orders', { body: { petId: 13, quantity: 1 } });
    await client('POST /v2/store/orders/41/ship');
    using reader = await readEvents(service(), { key: store.key, after: '0' });
    for (const { type, text } of await reader.waitForEvents(3)) {
      const [name] = Object.entries(document.components.messages).find(([, one]) => one.name === type) ?? [];
      const check = ajv.compile({ $ref: `document#/components/messages/${name}/payload` });
      expect([type, check(JSON.parse(text)), check.errors]).toEqual([type, true, null]);
      expect(check({ ...JSON.parse(text), type: 'order.eaten' })).toBe(false);
      expect(check({ ...JSON.parse(text), data: { id: 'x' } })).toBe(false);
    }
  });
});
