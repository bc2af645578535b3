import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { sqlite, temporaryFolder } from '../../server/test/support/engines.ts';
import { useService } from '../../server/test/support/service.ts';
import { lint } from './support/lint.ts';

interface Operation {
  readonly parameters?: readonly object[];
  readonly responses: Record<string, { readonly headers?: object; readonly content: Record<string, object> }>;
}

interface Document {
  readonly openapi: string;
  readonly tags: ReadonlyArray<{ readonly name: string; readonly parent?: string }>;
  readonly webhooks?: object;
  readonly paths: Record<string, Partial<Record<'get' | 'head', Operation>>>;
  readonly components: { schemas: Record<string, object> };
}

describe('the editions of the documents', () => {
  const service = useService(sqlite, {});
  const textOf = async (path: string) => (await service().request(`GET ${path}`)).bytes.toString();
  const served = async (path: string) => JSON.parse(await textOf(path)) as Document;
  const streamed = ({ paths }: Document) =>
    paths['/store/events/stream']?.get?.responses[200]?.content['text/event-stream'];

  const editions = [
    ['/v1/openapi-3.0.json', '3.0.3'],
    ['/v1/openapi-3.2.json', '3.2.0'],
    ['/v2/openapi-3.0.json', '3.0.3'],
    ['/v2/openapi-3.2.json', '3.2.0'],
  ] as const;

  it.each(editions)('%s describes the same interface', async (path, edition) => {
    const document = await served(path);
    expect(document.openapi).toBe(edition);
    const original = await served(path.replace(/-3\.\d/, ''));
    expect(Object.keys(document.paths)).toEqual(Object.keys(original.paths));
    const added = path === '/v2/openapi-3.2.json' ? ['OtherEvent'] : [];
    const schemas = [...Object.keys(original.components.schemas), ...added];
    expect(Object.keys(document.components.schemas)).toEqual(schemas);
  });

  it('are valid', async () => {
    using folder = temporaryFolder();
    const files: string[] = [];
    for (const [path] of editions) {
      const file = join(folder.path, path.replaceAll('/', '-'));
      writeFileSync(file, await textOf(path));
      files.push(file);
    }
    const said = await lint(...files);
    expect(said).toContain('Your API descriptions are valid');
    expect(said).not.toContain('warning');
  });

  it('describe HEAD, the headers of every request, and future event types in 3.2', async () => {
    const { paths, components } = await served('/v2/openapi-3.2.json');
    for (const { get, head } of Object.values(paths)) {
      expect(Object.keys(head?.responses ?? {})).toEqual(Object.keys(get?.responses ?? {}));
      for (const response of Object.values(head?.responses ?? {}))
        expect(response).not.toHaveProperty('content');
      for (const operation of [get, head].filter((one) => one !== undefined)) {
        expect(operation.parameters).toContainEqual({ $ref: '#/components/parameters/RequestId' });
        expect(operation.parameters).toContainEqual({ $ref: '#/components/parameters/Prefer' });
      }
    }
    expect(paths['/pets']?.get?.responses[200]?.headers).toHaveProperty('Preference-Applied');
    expect(components.schemas.Event).toMatchObject({
      anyOf: [{ discriminator: { propertyName: 'type' } }, { $ref: '#/components/schemas/OtherEvent' }],
    });
  });

  it('describe the stream as far as each format can', async () => {
    const schema = { $ref: '#/components/schemas/ServerSentEvent' };
    expect(streamed(await served('/v2/openapi.json'))).toMatchObject({ schema });
    expect(streamed(await served('/v2/openapi-3.2.json'))).toMatchObject({ itemSchema: schema });
    expect(streamed(await served('/v2/openapi-3.2.json'))).not.toHaveProperty('schema');
  });

  it('express nullable and constant values natively in 3.0', async () => {
    const { components, webhooks } = await served('/v2/openapi-3.0.json');
    expect(components.schemas.OrderPage).toMatchObject({
      properties: { nextCursor: { type: 'string', nullable: true } },
    });
    expect(components.schemas.OrderPlacedEvent).toMatchObject({
      properties: { type: { type: 'string', enum: ['order.placed'] } },
    });
    expect(webhooks).toBeUndefined();
  });

  it('group tags in a hierarchy in 3.2', async () => {
    const { tags } = await served('/v2/openapi-3.2.json');
    const parents = Object.fromEntries(tags.map(({ name, parent }) => [name, parent]));
    expect(parents).toMatchObject({ webhooks: 'events', messages: 'webhooks', orders: undefined });
    const original = await served('/v2/openapi.json');
    expect(tags.map(({ name }) => name)).toEqual(original.tags.map(({ name }) => name));
  });

  it('come with workflows in Arazzo 1.1 and overlays in Overlay 1.1', async () => {
    expect(parse(await textOf('/v2/arazzo.yaml'))).toMatchObject({ arazzo: '1.1.0' });
    const folder = new URL('../overlays/', import.meta.url);
    const versions = readdirSync(folder).map((name) => parse(readFileSync(new URL(name, folder), 'utf8')));
    expect(versions.length).toBeGreaterThan(0);
    for (const one of versions) expect(one).toMatchObject({ overlay: '1.1.0' });
  });
});
