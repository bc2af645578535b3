import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { everyTheme } from '../../../server/test/support/effort.ts';

const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

interface Options {
  readonly resultTypes: ['violations'];
  readonly rules: Readonly<Record<string, { readonly enabled: boolean }>>;
}

interface Axe {
  run(
    place: 'html',
    options: Options,
  ): Promise<{
    violations: Array<{ id: string; nodes: Array<{ html: string; failureSummary: string }> }>;
  }>;
}

/**
 * What axe-core finds wrong with the page as it is. It comes in by the debugger: the page lets in no script.
 * Contrast takes longer than all other rules together: it is looked at where a page or a dialog is seen first.
 */
export async function violations(page: Page, { contrast = everyTheme } = {}): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) {
    const session = await page.context().newCDPSession(page);
    await session.send('Runtime.evaluate', { expression: source });
    await session.detach();
  }
  const options: Options = {
    resultTypes: ['violations'],
    rules: { 'color-contrast': { enabled: contrast } },
  };
  const found = await page.evaluate(
    (how) => (globalThis as unknown as { axe: Axe }).axe.run('html', how),
    options,
  );
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
  );
}
