import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { temporaryFolder } from '../../server/test/support/engines.ts';
import { applyOverlay, path } from '../generators/target.ts';

const run = promisify(execFile);
const redocly = path('../../node_modules/@redocly/cli/bin/cli.js');
const lint = async (file: string) => {
  const { stderr } = await run(process.execPath, [redocly, 'lint', file]).catch((error) => error);
  return stderr as string;
};

interface Document {
  readonly paths: Record<string, Record<string, Record<string, unknown>>>;
}

/** How often each name of an extension stands in a document. */
function extensionsIn(value: unknown, counts: Record<string, number> = {}): Record<string, number> {
  if (typeof value !== 'object' || value === null) return counts;
  for (const [name, inner] of Object.entries(value)) {
    if (/^x-(speakeasy|fern|stainless)-/.test(name)) counts[name] = (counts[name] ?? 0) + 1;
    extensionsIn(inner, counts);
  }
  return counts;
}

const found: Record<string, Record<string, number>> = {
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

it.each(readdirSync(path('../overlays')))(
  'the overlay %s is valid, finds its places, and leaves a valid document',
  async (name) => {
    using folder = temporaryFolder();
    const file = path(`../overlays/${name}`);
    expect(await lint(file)).toContain('Your API description is valid');
    const changed = join(folder.path, 'changed.json');
    await applyOverlay(name, changed);
    expect(await lint(changed)).toMatch(/Your API description is valid/);
    const document = JSON.parse(readFileSync(changed, 'utf8')) as Document;
    expect(extensionsIn(document)).toEqual(found[name]);
    const original = parse(readFileSync(path('../v2.yaml'), 'utf8')) as Document;
    expect(document).not.toEqual(original);
  },
);

it('every list of pages is followed by all of them', () => {
  const { paths } = parse(readFileSync(path('../v2.yaml'), 'utf8')) as Document;
  const paged = Object.entries(paths).filter(([, { get }]) => JSON.stringify(get ?? {}).includes('"cursor"'));
  expect(paged.map(([at]) => at)).toEqual([
    '/store/orders',
    '/pets',
    '/store/requests',
    '/webhooks/{webhookId}/deliveries',
  ]);
});
