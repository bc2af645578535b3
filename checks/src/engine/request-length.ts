/** The length of a recorded request by its `Content-Length`; undefined while incomplete, or if chunked. */
function lengthOf(request: string): number | undefined {
  const end = request.indexOf('\r\n\r\n');
  const head = request.slice(0, end);
  if (end < 0 || /^transfer-encoding:/im.test(head)) return undefined;
  return end + 4 + Number(/^content-length:\s*(\d+)\s*$/im.exec(head)?.[1] ?? 0);
}

/** Whether a recorded request is complete. A chunked one counts as complete after its headers. */
export function isComplete(request: string): boolean {
  return request.includes('\r\n\r\n') && request.length >= (lengthOf(request) ?? 0);
}

/** Number of `bytes` that belong to the current request, whose beginning is in `request`; the rest belong to the next, pipelined one. */
export function requestByteCount(request: string, bytes: Buffer): number {
  const length = lengthOf(request + bytes.toString('latin1'));
  return length === undefined || length <= request.length ? bytes.length : length - request.length;
}
