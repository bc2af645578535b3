export type Header = readonly [name: string, value: string];

/** The start line and headers of a message. */
export interface Head {
  /** As received, with the empty line at the end. */
  readonly text: string;
  readonly startLine: string;
  readonly headers: readonly Header[];
}

/** Length in bytes, or how the end of the body is marked. */
export type Framing = number | 'chunked' | 'until-close';

/** Reads a head leniently: lines without a colon are skipped. */
export function headOf(text: string): Head {
  const [startLine = '', ...lines] = text.split('\r\n');
  const headers = lines.flatMap((line): Header[] => {
    const colon = line.indexOf(':');
    return colon < 1 ? [] : [[line.slice(0, colon), line.slice(colon + 1).trim()]];
  });
  return { text, startLine, headers };
}

/** The value of a header; repeated ones are joined with commas. */
export function headerOf(headers: readonly Header[], name: string): string | undefined {
  const values = headers
    .filter(([one]) => one.toLowerCase() === name.toLowerCase())
    .map(([, value]) => value);
  return values.length === 0 ? undefined : values.join(', ');
}

const START_LINE = /^[A-Z]+ [!-~]+ HTTP\/1\.[01]$/;
const HEADER = /^[!#$%&'*+.^_`|~\w-]+:[ \t]*[^\0\r\n]*$/;

/** The framing of a request, or why it is rejected: as strict as the HTTP parser of the service. */
export function framingOfRequest({
  text,
  startLine,
  headers,
}: Head): Framing | { readonly rejected: string } {
  if (!START_LINE.test(startLine)) return { rejected: 'malformed request line' };
  const lines = text.split('\r\n').slice(1).filter(Boolean);
  if (!lines.every((line) => HEADER.test(line))) return { rejected: 'malformed header' };
  const encoding = headerOf(headers, 'transfer-encoding');
  const length = headerOf(headers, 'content-length');
  if (encoding !== undefined && length !== undefined)
    return { rejected: 'both Content-Length and Transfer-Encoding' };
  if (encoding !== undefined)
    return encoding.toLowerCase() === 'chunked' ? 'chunked' : { rejected: 'unknown Transfer-Encoding' };
  if (length === undefined) return 0;
  return /^\d{1,15}$/.test(length) ? Number(length) : { rejected: 'invalid Content-Length' };
}

export function framingOfResponse(method: string, status: number, { headers }: Head): Framing {
  if (method === 'HEAD' || status === 204 || status === 304) return 0;
  if (/chunked\s*$/i.test(headerOf(headers, 'transfer-encoding') ?? '')) return 'chunked';
  const length = headerOf(headers, 'content-length');
  return length === undefined ? 'until-close' : Number.parseInt(length, 10);
}
