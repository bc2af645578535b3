/** The length of a recorded request by its `Content-Length`; undefined if it cannot be known yet, or at all. */
function lengthOf(asked: string): number | undefined {
  const end = asked.indexOf('\r\n\r\n');
  const head = asked.slice(0, end);
  if (end < 0 || /^transfer-encoding:/im.test(head)) return undefined;
  return end + 4 + Number(/^content-length:\s*(\d+)\s*$/im.exec(head)?.[1] ?? 0);
}

/** Whether a recorded request is complete. A chunked one counts as complete after its headers. */
export function isWhole(asked: string): boolean {
  return asked.includes('\r\n\r\n') && asked.length >= (lengthOf(asked) ?? 0);
}

/** How many of these bytes belong to the request recorded so far: the rest is the next one, sent without waiting. */
export function belonging(asked: string, bytes: Buffer): number {
  const length = lengthOf(asked + bytes.toString('latin1'));
  return length === undefined || length <= asked.length ? bytes.length : length - asked.length;
}
