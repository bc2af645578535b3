import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { temporaryFolder } from '../../server/test/support/engines.ts';
import { applyOverlay, path } from '../generators/target.ts';
import { lint } from './support/lint.ts';

interface Document {
  readonly paths: Record<string, Record<string, Record<string, unknown>>>;
}

/** How often each extension occurs in a document. */
function extensionsIn(value: unknown, counts: Record<string, number> = {}): Record<string, number> {
  if (typeof value !== 'object' || value === null) return counts;
  for (const [name, inner] of Object.entries(value)) {
    if (/^x-(speakeasy|fern|stainless)-/.test(name)) counts[name] = (counts[name] ?? 0) + 1;
    extensionsIn(inner, counts);
  }
  return counts;
}

const expectedCounts: Record<string, Record<string, number>> = {
  'speakeasy.yaml': { 'x-speakeasy-retries': 5, 'x-speakeasy-webhooks': 1, 'x-speakeasy-pagination': 5 },
  'fern.yaml': {
    'x-fern-idempotency-headers': 1,
    'x-fern-webhook-signature': 1,
    'x-fern-idempotent': 1,
    'x-fern-pagination': 5,
    'x-fern-retries': 4,
  },
  'stainless.yaml': { 'x-stainless-pagination-property': 15 },
  'openapi-generator-rust.yaml': {},
};

describe('the overlays', () => {
  const names = readdirSync(path('../overlays'));
  const folder = temporaryFolder();
  const changed = (name: string) => join(folder.path, `${name}.json`);
  beforeAll(() => Promise.all(names.map((name) => applyOverlay(name, changed(name)))));
  afterAll(() => folder[Symbol.dispose]());

  it('are valid and leave valid documents', async () => {
    const files = names.flatMap((name) => [path(`../overlays/${name}`), changed(name)]);
    expect(await lint(...files)).toContain('Your API descriptions are valid');
  });

  it.each(names)('%s matches its targets', (name) => {
    const document = JSON.parse(readFileSync(changed(name), 'utf8')) as Document;
    expect(extensionsIn(document)).toEqual(expectedCounts[name]);
    const original = parse(readFileSync(path('../v2.yaml'), 'utf8')) as Document;
    expect(document).not.toEqual(original);
  });

  it.each(['speakeasy', 'fern'])('%s follows every paginated list', (tool) => {
    const { paths } = JSON.parse(readFileSync(changed(`${tool}.yaml`), 'utf8')) as Document;
    const gets = Object.entries(paths).map(([at, { get }]) => ({ at, get: get ?? {} }));
    const paged = gets.filter(({ get }) => JSON.stringify(get).includes('"cursor"'));
    expect(paged.length).toBeGreaterThan(3);
    expect(paged.filter(({ get }) => !(`x-${tool}-pagination` in get)).map(({ at }) => at)).toEqual([]);
  });
});
