import { fail } from '../finding.ts';
import { describe } from '../fixture.ts';
import type { ClientResponse } from '../wire/client-response.ts';

/** The gateway reports a failure of the origin: with a 5xx, or by closing the connection. Returns what it could do better. */
export function mustBeError(response: ClientResponse): string | undefined {
  const { status = 0, text } = response;
  if (status === 0) return 'closes the connection instead of responding with 502';
  if (status < 500) fail(`the origin sent no response; the client received ${describe(response)}`);
  if (text.trim() === '') return `its ${status} has no body`;
  if (text.trimStart().startsWith('{')) return undefined;
  return `its ${status} is ${/html/i.test(text) ? 'HTML' : 'plain text'}, not an Error object`;
}

/** The client receives the origin's response unchanged. */
export function mustBeForwarded(response: ClientResponse, status: number, body?: string | Buffer): void {
  if (response.status !== status)
    fail(`the origin responded with ${status}; the client received ${describe(response)}`);
  if (!response.isComplete)
    fail(`the client received an incomplete ${status}: ${response.end ?? 'it did not end in time'}`);
  if (body === undefined) return;
  const expected = Buffer.from(body);
  const { body: bytes } = response;
  if (expected.equals(bytes)) return;
  const at = expected.findIndex((byte, index) => byte !== bytes[index]);
  if (bytes.length !== expected.length && (at < 0 || at >= bytes.length))
    fail(`the body of the ${status} has ${bytes.length} bytes instead of ${expected.length}`);
  const [sent, got] = [expected, bytes].map((part) => part.toString('latin1', Math.max(0, at - 30), at + 20));
  fail(`the body of the ${status} changed: '${got}' instead of '${sent}'`);
}
