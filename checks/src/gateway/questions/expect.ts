import { advise, fail } from '../finding.ts';
import { describe } from '../stage.ts';
import type { Arriving } from '../wire/arriving.ts';

/** The gateway reports a failure of the origin: with a 5xx, or by closing the connection. */
export function mustBeError(arrived: Arriving): void {
  const { status = 0, text } = arrived;
  if (status === 0) advise('closes the connection instead of responding with 502');
  if (status < 500) fail(`the origin sent no response; ${describe(arrived)} arrived`);
  if (text.trim() === '') advise(`its ${status} has no body`);
  if (!text.trimStart().startsWith('{'))
    advise(`its ${status} is ${/html/i.test(text) ? 'HTML' : 'plain text'}, not an Error object`);
}

/** The response of the origin arrived as it was sent. */
export function mustArrive(arrived: Arriving, status: number, body?: string | Buffer): void {
  if (arrived.status !== status) fail(`the origin responded with ${status}; ${describe(arrived)} arrived`);
  if (!arrived.isComplete)
    fail(`the ${status} arrived incomplete: ${arrived.end ?? 'it did not end in time'}`);
  if (body === undefined) return;
  const expected = Buffer.from(body);
  const { body: bytes } = arrived;
  if (expected.equals(bytes)) return;
  const at = expected.findIndex((byte, index) => byte !== bytes[index]);
  if (bytes.length !== expected.length && (at < 0 || at >= bytes.length))
    fail(`the body of the ${status} has ${bytes.length} bytes instead of ${expected.length}`);
  const [sent, got] = [expected, bytes].map((part) => part.toString('latin1', Math.max(0, at - 30), at + 20));
  fail(`the body of the ${status} changed: '${got}' instead of '${sent}'`);
}
