/** What check-client and check-suite have to show. */
export interface Report {
  readonly title: string;
  /** What was run, as it was typed. */
  readonly command: string;
  /** In one line: `1 of 2 bugs were noticed`. */
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

const LONGEST = 400;

/** What every message has, and nobody looks for. */
const usual =
  /^(host|user-agent|accept(-\w+)*|connection|keep-alive|date|sec-\S+|vary|x-content-type-options|x-request-id|cache-control|access-control-\S+|content-(length|encoding)):/i;

/** A message as it was on the wire, without keys, what is usual, and more of its body than one likes to read. */
export function shortened(message: string, bodyFrom = 0): string {
  const text = message.replaceAll('\r\n', '\n').replaceAll(/[^\P{Cc}\n\t]/gu, '\uFFFD');
  const [head = '', ...rest] = text.split('\n\n');
  const lines = head.split('\n').filter((line) => !usual.test(line));
  const body = /^content-encoding:/im.test(head) ? '(compressed)' : cut(rest.join('\n\n'), bodyFrom);
  return `${lines.join('\n')}\n\n${body}`.replace(/(?<=^authorization: bearer ).*$/im, '…').trim();
}

function cut(body: string, from: number): string {
  const part = `${from > 0 ? '… ' : ''}${body.slice(from, from + LONGEST)}`;
  return body.length > from + LONGEST ? `${part} …` : part;
}
