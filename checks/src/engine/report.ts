/** The result of a check. */
export interface Report {
  readonly title: string;
  /** The command line that was run. */
  readonly command: string;
  /** In one line: `1 of 2 bugs noticed`. */
  readonly score: string;
  /** Label of the badge: `suite check`. */
  readonly badge: string;
  readonly entries: readonly Entry[];
  /** Id of the entry to fix first; by default the first failed one. */
  readonly first?: string;
  /** Remarks that concern several entries. */
  readonly notes?: readonly string[];
  /** Nothing could be judged. */
  readonly isUnusable?: boolean;
}

export interface Entry {
  /** The id for `--only`; a number if the name is hidden. */
  readonly id: string;
  readonly title: string;
  /** Heading under which the entry is listed: an operation, or an area. */
  readonly group?: string;
  /** The exercise it belongs to: `Exercise 3`. The page counts entries by exercise, too. */
  readonly exercise?: string;
  readonly verdict: Verdict;
  /** The verdict in the check's own words, if they differ: `not met`. */
  readonly label?: string;
  /** Observed behavior. */
  readonly result: string;
  /** Expected behavior. */
  readonly expectation: string;
  /** The label of `expectation`. A hint says less than the expected behavior. */
  readonly expectationLabel?: 'Expected' | 'Hint';
  readonly wire: readonly WireLine[];
  /** The output of the program. */
  readonly printed?: string;
  readonly seconds?: number;
}

/** The score: entries that were not tried do not count. */
export function countsOf({ entries }: Pick<Report, 'entries'>): {
  readonly passed: number;
  readonly of: number;
} {
  const tried = entries.filter(({ verdict }) => verdict !== 'not tried');
  return { passed: tried.filter(({ verdict }) => verdict === 'passed').length, of: tried.length };
}

export type Verdict = 'passed' | 'failed' | 'not tried';

/** The entry to fix first, if one failed. */
export function firstToFix({ entries, first }: Report): Entry | undefined {
  return entries.find(({ id, verdict }) => verdict === 'failed' && (first === undefined || id === first));
}

/** One abbreviated exchange. */
export interface WireLine {
  readonly request: string;
  readonly response: string;
  /** What these two are called; by default, request and response. */
  readonly names?: readonly [request: string, response: string];
  /** The response of the correct service, if it differs. */
  readonly correctResponse?: string;
  readonly note?: string;
}

const MAX_BODY = 400;

/** Headers that reports omit. */
const noiseHeaders =
  /^(host|user-agent|accept(-\w+)*|connection|keep-alive|date|sec-\S+|vary|x-content-type-options|x-request-id|cache-control|access-control-\S+|content-(length|encoding)):/i;

/** Characters of context before the evidence. */
const CONTEXT = 60;

/**
 * An HTTP message without credentials and noise headers, and with an excerpt of its body. The excerpt contains `evidence`, on
 * which the verdict is based: a text in the body, or an offset. `evidenceHeaders` are always included.
 */
export function shortened(
  message: string,
  evidence: string | number = 0,
  evidenceHeaders: readonly string[] = [],
): string {
  const text = message.replaceAll('\r\n', '\n').replaceAll(/[^\P{Cc}\n\t]/gu, '\uFFFD');
  const [head = '', ...rest] = text.split('\n\n');
  const isEvidence = (line: string) => evidenceHeaders.some((name) => line.startsWith(`${name}:`));
  const lines = head.split('\n').filter((line) => isEvidence(line) || !noiseHeaders.test(line));
  const body = /^content-encoding:/im.test(head) ? '(compressed)' : excerpt(rest.join('\n\n'), evidence);
  return `${lines.join('\n')}\n\n${body}`.replace(/(?<=^authorization: bearer ).*$/im, '…').trim();
}

function excerpt(body: string, evidence: string | number): string {
  const at = typeof evidence === 'number' ? evidence : body.indexOf(evidence);
  // Starts at the beginning of the body if that includes the evidence.
  const from = at + CONTEXT <= MAX_BODY ? 0 : at - CONTEXT;
  const part = `${from > 0 ? '… ' : ''}${body.slice(from, from + MAX_BODY)}`;
  return body.length > from + MAX_BODY ? `${part} …` : part;
}

const MAX_OUTPUT = 4_000;

/** The end of a program's output, where most programs print what failed. */
export function tailOf(output: string): string {
  const text = output.trimEnd();
  return text.length > MAX_OUTPUT ? `… ${text.slice(-MAX_OUTPUT)}` : text;
}
