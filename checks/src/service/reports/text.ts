import { failureOf, type Report } from './report.ts';

/** Prints one line a check. Passing lines hold nothing of the deployment, so that reports can be compared. */
export function textReport(
  secrets: readonly string[],
  { isColourful, print: write }: { readonly isColourful: boolean; print(text: string): void },
): Report {
  const paint = (colour: number, text: string) => (isColourful ? `\x1b[${colour}m${text}\x1b[0m` : text);
  const print = (line: string) => write(`${line}\n`);
  let section: string | undefined;

  return {
    result(result) {
      const { check } = result;
      const line = `${check.sentence} ${paint(90, `[${check.id}]`)}`;
      if (check.section !== section) print(`${section ? '\n' : ''}${paint(1, check.section)}`);
      section = check.section;
      if (result.verdict === 'passed') print(`  ${paint(32, '✔')} ${line}`);
      else if (result.verdict === 'not checked') {
        print(`  ${paint(33, '–')} ${line} (not checked: ${result.reason})`);
      } else {
        print(`  ${paint(31, '✘')} ${line}`);
        for (const [name, text] of Object.entries(failureOf(result.error, secrets))) {
          print(`      ${name.padEnd(8)}  ${text}`);
        }
      }
    },
    end({ passed, failed }, notes) {
      for (const note of notes) print(`\n${paint(33, note)}`);
      print(`\n${passed} passed, ${failed} failed`);
    },
  };
}
