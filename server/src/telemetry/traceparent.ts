import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

/** Version, trace, span and flags; neither of the ids is all zeros. A later version may have more behind it. */
const form = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?=$|-)/;

/** A malformed header counts as absent; of a later version, the part that we know is kept. */
export function parseTraceparent(header: string | string[] | undefined): string | undefined {
  if (typeof header !== 'string') return undefined;
  const [known] = form.exec(header) ?? [];
  if (known === undefined || known === header) return known;
  // A copy lets go of the rest, however long that is.
  return header.startsWith('00-') ? undefined : Buffer.from(known).toString();
}

export const currentTraceparent = new AsyncLocalStorage<string>();

export function nextSpan(traceparent: string): string {
  const [, trace, , flags] = traceparent.split('-');
  return `00-${trace}-${randomBytes(8).toString('hex')}-${flags}`;
}
