/** Whether a recorded request is complete, by its `Content-Length`. One without is complete after its headers. */
export function isWhole(asked: string): boolean {
  const end = asked.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const length = /^content-length:\s*(\d+)\s*$/im.exec(asked.slice(0, end))?.[1];
  return length === undefined || asked.length >= end + 4 + Number(length);
}
