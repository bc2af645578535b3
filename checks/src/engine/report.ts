/** The result of check-client or check-suite. */
export interface Report {
  readonly title: string;
  /** The command line that was run. */
  readonly command: string;
  /** In one line: `1 of 2 bugs noticed`. */
  readonly score: string;
  readonly entries: readonly Entry[];
}

export interface Entry {
  /** The id for `--only`; a number if the name is hidden. */
  readonly id: string;
  readonly title: string;
  readonly verdict: Verdict;
  /** Observed behavior. */
  readonly result: string;
  /** Expected behavior. */
  readonly good: string;
  readonly wire: readonly WireLine[];
}

export type Verdict = 'passed' | 'failed' | 'not tried';

/** One abbreviated exchange. */
export interface WireLine {
  readonly asked: string;
  readonly response: string;
  /** The response of the correct service, if it differs. */
  readonly right?: string;
  readonly note?: string;
}

const MAX_BODY = 400;

/** Headers left out as noise. */
const usual =
  /^(host|user-agent|accept(-\w+)*|connection|keep-alive|date|sec-\S+|vary|x-content-type-options|x-request-id|cache-control|access-control-\S+|content-(length|encoding)):/i;

/** An HTTP message without credentials and noise headers, and with a shortened body. */
export function shortened(message: string, bodyFrom = 0): string {
  const text = message.replaceAll('\r\n', '\n').replaceAll(/[^\P{Cc}\n\t]/gu, '\uFFFD');
  const [head = '', ...rest] = text.split('\n\n');
  const lines = head.split('\n').filter((line) => !usual.test(line));
  const body = /^content-encoding:/im.test(head) ? '(compressed)' : cut(rest.join('\n\n'), bodyFrom);
  return `${lines.join('\n')}\n\n${body}`.replace(/(?<=^authorization: bearer ).*$/im, '…').trim();
}

function cut(body: string, from: number): string {
  const part = `${from > 0 ? '… ' : ''}${body.slice(from, from + MAX_BODY)}`;
  return body.length > from + MAX_BODY ? `${part} …` : part;
}
