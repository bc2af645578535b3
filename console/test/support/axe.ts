import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

interface Axe {
  run(
    place: string,
    options: { resultTypes: ['violations'] },
  ): Promise<{
    violations: Array<{ id: string; nodes: Array<{ html: string; failureSummary: string }> }>;
  }>;
}

/** What axe-core finds wrong with the page as it is, or with a part of it. It comes in by the debugger: the page lets in no script. */
export async function violations(page: Page, place = 'html'): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) {
    const session = await page.context().newCDPSession(page);
    await session.send('Runtime.evaluate', { expression: source });
    await session.detach();
  }
  const found = await page.evaluate(
    (part) => (globalThis as unknown as { axe: Axe }).axe.run(part, { resultTypes: ['violations'] }),
    place,
  );
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
  );
}
