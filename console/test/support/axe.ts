import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { everyTheme } from '../../../server/test/support/effort.ts';

const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

interface Axe {
  run(
    place: 'html' | 'dialog[open]',
    options: { readonly resultTypes: ['violations'] },
  ): Promise<{
    violations: Array<{ id: string; nodes: Array<{ html: string; failureSummary: string }> }>;
  }>;
}

/**
 * What axe-core finds wrong with the page as it is. It comes in by the debugger: the page lets in no script.
 * `isNew` is where a page or a dialog is seen for the first time: the fast tier looks there only, and only at the dialog
 * if one is open, because the page below it is inert and has been checked without it.
 */
export async function violations(page: Page, { isNew = everyTheme } = {}): Promise<string[]> {
  if (!isNew) return [];
  if (!(await page.evaluate(() => 'axe' in globalThis))) {
    const session = await page.context().newCDPSession(page);
    await session.send('Runtime.evaluate', { expression: source });
    await session.detach();
  }
  const hasDialog = !everyTheme && (await page.locator('dialog[open]').count()) > 0;
  const found = await page.evaluate(
    (place) => (globalThis as unknown as { axe: Axe }).axe.run(place, { resultTypes: ['violations'] }),
    hasDialog ? ('dialog[open]' as const) : ('html' as const),
  );
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
  );
}
