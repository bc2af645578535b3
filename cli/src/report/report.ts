/** What check-client and check-suite have to show. */
export interface Report {
  readonly title: string;
  /** What was run, as it was typed. */
  readonly command: string;
  /** `36 of 44 bugs were noticed`. */
  readonly score: string;
  readonly entries: readonly Entry[];
}

export interface Entry {
  /** What it is known by, for `--only`; a number where its name is not to be told. */
  readonly id: string;
  /** What was asked. */
  readonly title: string;
  readonly verdict: Verdict;
  /** What came of it. */
  readonly result: string;
  /** What a good client or suite does. */
  readonly good: string;
  readonly wire: readonly WireLine[];
}

export type Verdict = 'passed' | 'failed' | 'not tried';

/** One request and its answer, shortened, and what there is to say of them. */
export interface WireLine {
  readonly asked: string;
  readonly answered: string;
  /** What the right service would have answered. */
  readonly right?: string;
  readonly note?: string;
}

const LONGEST = 600;

/** A message as it was on the wire, without keys, and no longer than one likes to read. */
export function shortened(message: string): string {
  const text = message
    .replaceAll('\r\n', '\n')
    .replace(/(?<=^authorization: bearer ).*$/im, '…')
    .replaceAll(/[^\P{Cc}\n\t]/gu, '\uFFFD')
    .trim();
  return text.length > LONGEST ? `${text.slice(0, LONGEST)} …` : text;
}
