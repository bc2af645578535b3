/** One response from the wire, with its body reassembled. */
export interface Response {
  readonly status: number;
  /** Lower-case names; repeated headers are joined. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
  /** Where the next response begins. */
  readonly end: number;
}

/** Bytes that are not an HTTP response. */
class NotHttp extends Error {
  override name = 'NotHttp';
}

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const STATUS_LINE = /^HTTP\/1\.1 (\d{3}) [\t\x20-\x7e\x80-\xff]*$/;

/** The response that begins at `start`; undefined while it is incomplete. Throws if it is incomplete when the connection is closed. */
export function readResponse(
  bytes: Buffer,
  start: number,
  method: string,
  closed: boolean,
): Response | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n', start);
  if (headEnd === -1) {
    if (closed) throw new NotHttp(`a response without an end: '${excerpt(bytes.subarray(start))}'`);
    return undefined;
  }
  const [first = '', ...lines] = bytes.toString('latin1', start, headEnd).split('\r\n');
  const status = Number(STATUS_LINE.exec(first)?.[1] ?? Number.NaN);
  if (!(status >= 100 && status < 600)) throw new NotHttp(`an invalid status line: '${first.slice(0, 200)}'`);
  const headers = readHeaders(lines);
  const bodyStart = headEnd + 4;
  // An interim response is not final; a connection may end after it.
  if (status < 200 && closed && bodyStart === bytes.length) return undefined;
  if (status < 200) return readResponse(bytes, bodyStart, method, closed);
  const empty = Buffer.alloc(0);
  if (method === 'HEAD' || status === 204 || status === 304)
    return { status, headers, body: empty, end: bodyStart };
  // An event stream has no end to wait for.
  if (headers.get('content-type') === 'text/event-stream')
    return { status, headers, body: empty, end: bytes.length };
  if (headers.get('transfer-encoding') === 'chunked') {
    const chunked = readChunks(bytes, bodyStart, closed);
    return chunked && { status, headers, ...chunked };
  }
  const length = headers.get('content-length');
  if (length === undefined) {
    return closed ? { status, headers, body: bytes.subarray(bodyStart), end: bytes.length } : undefined;
  }
  if (!/^\d+$/.test(length)) throw new NotHttp(`Content-Length: ${length}`);
  const end = bodyStart + Number(length);
  if (end <= bytes.length) return { status, headers, body: bytes.subarray(bodyStart, end), end };
  if (closed) throw new NotHttp(`a body that is ${end - bytes.length} bytes shorter than its Content-Length`);
  return undefined;
}

function readHeaders(lines: readonly string[]): Map<string, string> {
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon));
    const value = line.slice(colon + 1).trim();
    if (!NAME.test(name) || /[\0\r\n]/.test(value))
      throw new NotHttp(`an invalid header: '${line.slice(0, 200)}'`);
    const known = headers.get(name.toLowerCase());
    headers.set(name.toLowerCase(), known === undefined ? value : `${known}, ${value}`);
  }
  return headers;
}

function readChunks(
  bytes: Buffer,
  start: number,
  closed: boolean,
): { body: Buffer; end: number } | undefined {
  const chunks: Buffer[] = [];
  for (let at = start; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    const end = lineEnd + 2 + size + 2;
    if (lineEnd === -1 || end > bytes.length) {
      if (closed) throw new NotHttp('a chunked body without an end');
      return undefined;
    }
    if (!(size >= 0))
      throw new NotHttp(`a chunk of size '${bytes.toString('latin1', at, lineEnd).slice(0, 40)}'`);
    if (size === 0) return { body: Buffer.concat(chunks), end };
    chunks.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = end;
  }
}

/** Bytes as one readable line of text. */
export function excerpt(bytes: Buffer, most = 300): string {
  const text = bytes
    .toString('latin1', 0, most)
    .replace(/[^\x20-\x7e]/g, (char) =>
      char === '\r'
        ? '\\r'
        : char === '\n'
          ? '\\n'
          : `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`,
    );
  return bytes.length > most ? `${text}… (${bytes.length} bytes)` : text;
}
