import { Mismatch } from './mismatch.ts';

export type Report = {
  heading(section: string): void;
  passed(sentence: string): void;
  failed(sentence: string, error: unknown): void;
  unproven(sentence: string, reason: string): void;
  note(text: string): void;
  /** Prints the last line. */
  total(passed: number, failed: number): void;
};

const longest = 300;

/** Prints one line a check. Passing lines hold nothing of the deployment, so that reports can be compared. */
export function createReport(secrets: string[], colourful: boolean): Report {
  const paint = (colour: number, text: string) => (colourful ? `\x1b[${colour}m${text}\x1b[0m` : text);
  const print = (line: string) => process.stdout.write(`${line}\n`);
  const short = (text: string) => {
    const hidden = secrets.reduce((clean, secret) => clean.replaceAll(secret, '<API_KEY>'), text);
    const line = hidden.replace(/\p{Cc}+/gu, ' ');
    return line.length > longest ? `${line.slice(0, longest)}…` : line;
  };
  let first = true;

  return {
    heading(section) {
      print(`${first ? '' : '\n'}${paint(1, section)}`);
      first = false;
    },
    passed: (sentence) => print(`  ${paint(32, '✔')} ${sentence}`),
    failed(sentence, error) {
      print(`  ${paint(31, '✘')} ${sentence}`);
      if (error instanceof Mismatch) {
        if (error.where) print(`      in        ${short(error.where)}`);
        print(`      expected  ${short(error.expected)}`);
        print(`      received  ${short(error.received)}`);
      } else {
        print(
          `      failed    ${short(error instanceof Error ? error.message || error.name : String(error))}`,
        );
      }
    },
    unproven: (sentence, reason) => print(`  ${paint(33, '–')} ${sentence} (not checked: ${reason})`),
    note: (text) => print(`\n${paint(33, text)}`),
    total: (passed, failed) => print(`\n${passed} passed, ${failed} failed`),
  };
}
