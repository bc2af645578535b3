import { writeFileSync } from 'node:fs';
import { readResults } from '../../../checks/src/class/read-results.ts';
import { type Row, sheetOf } from '../../../checks/src/class/sheet.ts';
import { sheetHtml } from '../../../checks/src/class/sheet-html.ts';
import { UsageError } from '../../../server/src/config/usage-error.ts';
import type { Call } from '../command-group.ts';
import { printResult } from '../output.ts';

/** Creates one sheet from the `--json` results of a class. */
export async function classReport(call: Call): Promise<void> {
  const [folder = ''] = call.args;
  const { html } = call.values;
  const sheet = sheetOf(readResults(folder));
  const { results, withoutResult, rows, noticedByNone, toDiscuss } = sheet;
  if (html !== undefined) write(String(html), sheetHtml(sheet));
  const lines = [
    `${results.length} suites, ${rows.length} bugs`,
    ...results.map(({ name, noticed, tested }) => `${name}: ${noticed.size} of ${tested.size}`),
    ...withoutResult.map((name) => `${name}: ${NO_RESULT}`),
    `Noticed by no suite: ${numbersOf(noticedByNone)}`,
    `Discuss next: ${numbersOf(toDiscuss)}`,
  ];
  const idsOf = (some: readonly Row[]) => some.map(({ bug }) => bug.id);
  const summary = {
    suites: results.map(({ name, noticed, tested }) => ({ name, noticed: noticed.size, of: tested.size })),
    withoutResult,
    noticedByNone: idsOf(noticedByNone),
    toDiscuss: idsOf(toDiscuss),
  };
  await printResult(lines.join('\n'), summary, call);
}

const NO_RESULT = 'no result: the suite failed against the correct service, or was interrupted';

const numbersOf = (rows: readonly Row[]) => rows.map(({ number }) => number).join(', ') || 'nothing';

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new UsageError(`invalid --html '${file}': ${(error as Error).message}`);
  }
}
